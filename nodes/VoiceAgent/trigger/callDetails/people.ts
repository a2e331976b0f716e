import type { Call, Direction } from './calls';
import { textOf } from './calls';
import type { Part, Side } from './names';
import { isSameNumber, isWithheldText, readAddress } from './phoneNumbers';
import { around, isBeside, isCustom, type CallRecord, type Field, type Records } from './records';
import { wordsOf } from './words';

/** Whether there is a person to find, and if not, why. */
export type PersonState = 'found' | 'withheld' | 'web' | 'unknown';

/** The two sides of a call. */
export interface People {
	person: PersonState;
	customer: { phone: string | null; name: string | null; email: string | null };
	agent: { id: string | null; name: string | null; phone: string | null };
}

/** Whose a field is, once the direction of the call is taken in. */
type Owner = 'person' | 'agent' | 'line' | 'none' | 'other';

/** A number with whose it is, and how well that is told. */
interface Told {
	number: string;
	owner: Owner;
	side: Side | undefined;
	rank: number;
	record: CallRecord;
	/** True for one of a list of those who took part. */
	isParty: boolean;
}

/** Told by the name of the field itself, by the name of the record around it, by users' values. */
const BY_NAME = 3;
const BY_RECORD = 2;
const BY_CUSTOM = 1;

/** Reads who took part in a call. */
export function readPeople(records: Records, call: Call): People {
	const { direction } = call;
	const sides = new Sides(records, direction);
	const fields = records.fields.filter(
		({ record, name }) => name.part !== undefined && !isBeside(record),
	);
	const told: Told[] = [];
	const strangers: string[] = [];
	let isWithheld = false;
	for (const field of fields) {
		const { part, side: own, brand } = field.name;
		const isPhone = part === 'phone' || part === 'self';
		if (!isPhone) continue;
		const side = brand === undefined ? sides.of(field) : sides.ofBrand(brand);
		const owner = sides.ownerOf(side);
		if (owner === 'other') continue;
		const address = readAddress(field.value);
		if (address === undefined) continue;
		if (address.kind === 'number') {
			const rank = isCustom(field.record) ? BY_CUSTOM : own === undefined ? BY_RECORD : BY_NAME;
			told.push({
				number: address.number,
				owner,
				side,
				rank,
				record: field.record,
				isParty: field.name.isParty,
			});
		} else if (
			owner === 'person' ||
			(owner === 'none' && (side === 'origin' || side === undefined))
		) {
			if (address.kind === 'withheld') {
				isWithheld ||=
					!isCustom(field.record) &&
					(part === 'phone' || owner === 'person' || side === 'origin' || field.name.isParty);
			} else if (own === 'origin' || own === 'target') strangers.push(address.text);
		}
	}
	const flagged = records.fields.some(
		({ name, value, record }) =>
			name.topics.withheld !== undefined &&
			(value === true || value === 'true') &&
			!isBeside(record),
	);
	const { phone, agentPhone, home } = numbersOf(told, call, sides, records);
	sides.settle(home);
	const agent = {
		id: agentIdOf(fields, sides),
		name: agentNameOf(fields, sides),
		phone: agentPhone,
	};
	const name = personNameOf(fields, sides);
	const customer = {
		phone,
		name: name !== null && name === agent.name ? null : name,
		email: emailOf(fields, sides),
	};
	return { person: stateOf(), customer, agent };

	function stateOf(): PersonState {
		if (customer.phone !== null || customer.email !== null) return 'found';
		const nameSays = fields.some(
			(field) =>
				field.name.part === 'name' &&
				sides.ownerOf(sides.of(field)) === 'person' &&
				typeof field.value === 'string' &&
				isWithheldText(field.value),
		);
		if (isWithheld || flagged || (nameSays && told.every(({ owner }) => owner !== 'person')))
			return 'withheld';
		if (isWeb(records) || strangers.some(isUserName)) return 'web';
		if (told.some(({ owner }) => owner === 'none' || owner === 'person')) return 'unknown';
		if (
			agentPhone !== null &&
			(direction === 'inbound' || (direction === null && isTelephony(records)))
		)
			return 'withheld';
		return isConversationOnly(records) ? 'web' : 'unknown';
	}
}

/** Tells whose fields are. */
class Sides {
	private readonly userIs: 'person' | 'agent';
	private home?: CallRecord;

	constructor(
		private readonly records: Records,
		private readonly direction: Direction | null,
	) {
		const has = (side: Side) =>
			records.fields.some(
				({ name, value, record }) =>
					!isCustom(record) && name.side === side && value !== null && value !== '',
			) ||
			records.all.some(
				(record) =>
					!isCustom(record) &&
					record.name?.side === side &&
					record.fields.some(({ value }) => value !== null && value !== ''),
			);
		this.userIs = has('agent') && !has('person') ? 'person' : 'agent';
	}

	/** The person's own record, found by its number. */
	settle(home: CallRecord | undefined): void {
		this.home = home && around(home, ({ isParty, side }) => isParty && side === undefined);
		if (home && this.home === undefined) {
			for (let at: CallRecord | undefined = home; at; at = at.parent) {
				if (at.name?.isParty && at.name.side === undefined) {
					this.home = at;
					break;
				}
			}
		}
	}

	of({ name, record }: Field): Side | undefined {
		const container = this.sideAround(record);
		if (name.side === undefined) return container;
		// A person's business number is not ours.
		if (name.side === 'line' && container === 'person') return 'other';
		return name.side;
	}

	ofBrand(brand: string): Side | undefined {
		const isLine = this.records.fields.some(
			({ name, value }) =>
				(name.words[0] === brand && name.words[1] === 'line') ||
				(typeof value === 'string' &&
					name.topics.recording !== undefined &&
					hostOf(value).includes(brand)),
		);
		return isLine ? 'line' : 'other';
	}

	ownerOf(side: Side | undefined): Owner {
		const { direction } = this;
		switch (side) {
			case undefined:
				return 'none';
			case 'user':
				return this.userIs;
			case 'origin':
				return direction === null ? 'none' : direction === 'inbound' ? 'person' : 'line';
			case 'target':
				return direction === null ? 'none' : direction === 'outbound' ? 'person' : 'line';
			default:
				return side;
		}
	}

	private sideAround(record: CallRecord): Side | undefined {
		for (let at: CallRecord | undefined = record; at; at = at.parent) {
			if (at === this.home) return 'person';
			if (at.isSpine) continue;
			const { name } = at;
			if (name?.side !== undefined) return name.side;
			if (isLineRecord(at)) return 'line';
			const kind = at.kind && sideOfKind(at.kind);
			if (kind !== undefined) return kind;
		}
		return undefined;
	}
}

function sideOfKind(words: string[]): Side | undefined {
	for (const word of words) {
		if (/^(external|customer|contact|lead|client|caller|person|human|visitor)$/.test(word))
			return word === 'caller' ? 'origin' : 'person';
		if (/^(agent|assistant|bot|internal|operator)$/.test(word)) return 'agent';
		if (word === 'user') return 'user';
	}
	return undefined;
}

/** A number with an id of its own is one that the account has. */
function isLineRecord({ name, fields, isEntry }: CallRecord): boolean {
	return (
		name !== undefined &&
		!isEntry &&
		name.part === 'phone' &&
		name.side === undefined &&
		fields.some((field) => field.name.part === 'id' || field.name.topics.id !== undefined)
	);
}

function hostOf(url: string): string {
	return /^https?:\/\/([^/]{1,200})/i.exec(url)?.[1]?.toLowerCase() ?? '';
}

function numbersOf(
	told: Told[],
	call: Call,
	sides: Sides,
	records: Records,
): { phone: string | null; agentPhone: string | null; home?: CallRecord } {
	const { direction } = call;
	const of = (...owners: Owner[]) => told.filter(({ owner }) => owners.includes(owner));
	const isWay = ({ side }: Told) => side === 'origin' || side === 'target';
	const spine = (entries: Told[]) =>
		[...entries].sort((a, b) => place(b.record) - place(a.record) || b.rank - a.rank);
	const mapped = (owner: Owner) =>
		spine(told.filter((entry) => isWay(entry) && entry.owner === owner))[0];
	let mine = of('agent', 'line').filter((entry) => !isWay(entry));
	const wayToMe = mapped('line');
	const wayToPerson = mapped('person');
	const isMine = (number: string) =>
		mine.some((entry) => isSameNumber(entry.number, number)) ||
		(wayToMe !== undefined && isSameNumber(wayToMe.number, number));
	// Direction decides: a number that is ours by it is not the person's.
	const persons = of('person').filter((entry) => !isWay(entry));
	const ranked = (rank: number) => persons.filter((entry) => entry.rank === rank);
	let candidates: Told[] = [
		...ranked(BY_NAME),
		...(wayToPerson ? [wayToPerson] : []),
		...ranked(BY_RECORD),
		...ranked(BY_CUSTOM),
	].filter(({ number }) => !isMine(number));
	if (candidates.length === 0) {
		const ways = spine(told.filter((entry) => isWay(entry) && entry.owner === 'none'));
		const origin = ways.find(({ side }) => side === 'origin');
		const target = ways.find(({ side }) => side === 'target');
		const open = [origin, target].filter((entry) => entry !== undefined);
		const strangers = open.filter(({ number }) => !isMine(number));
		const isOurs = mine.length > 0 || hasOurAddress(records);
		if (strangers.length === 1 && (open.length === 2 || isOurs)) candidates = strangers;
		else if (open.length === 0 && direction !== null) {
			const neutral = of('none').filter(({ number }) => !isMine(number));
			const isOne = neutral.every(({ number }) => isSameNumber(number, neutral[0]?.number ?? ''));
			const isParty = neutral.some(({ isParty }) => isParty);
			if (
				isOne &&
				(mine.length > 0 || wayToMe !== undefined || direction === 'outbound' || isParty)
			)
				candidates = neutral;
		} else if (open.length === 0) {
			const neutral = of('none').filter(({ number }) => !isMine(number));
			const isOne = neutral.every(({ number }) => isSameNumber(number, neutral[0]?.number ?? ''));
			if (isOne && mine.length > 0) candidates = neutral;
		}
	}
	const [chosen] = candidates;
	const phone = chosen === undefined ? null : fullest(chosen.number, told);
	if (phone !== null && wayToMe === undefined) {
		const others = spine(told.filter((entry) => isWay(entry) && entry.owner === 'none'));
		const ways = ['origin', 'target'].map((side) => others.find((entry) => entry.side === side));
		const [a, b] = ways;
		if (a && b && isSameNumber(a.number, phone) !== isSameNumber(b.number, phone)) {
			mine = [
				...mine,
				{ ...(isSameNumber(a.number, phone) ? b : a), owner: 'line', rank: BY_RECORD },
			];
		}
	}
	const notPerson = mine.filter(({ number }) => phone === null || !isSameNumber(number, phone));
	const [agentPhone] = [
		...agreed(notPerson.filter(({ rank }) => rank === BY_NAME)),
		...(wayToMe && (phone === null || !isSameNumber(wayToMe.number, phone)) ? [wayToMe] : []),
		...agreed(notPerson.filter(({ rank, owner }) => rank === BY_RECORD && owner === 'line')),
		...agreed(notPerson.filter(({ rank }) => rank === BY_RECORD)),
		...agreed(notPerson.filter(({ rank }) => rank === BY_CUSTOM)),
	];
	return {
		phone,
		agentPhone: agentPhone === undefined ? null : fullest(agentPhone.number, told),
		home: chosen?.record,
	};
}

function place({ isSpine, depth }: CallRecord): number {
	return (isSpine ? 1000 : 0) - (isSpine ? -depth : depth);
}

/** These numbers if all are one, else none. */
function agreed(entries: Told[]): Told[] {
	const [first] = entries;
	return first !== undefined && entries.every(({ number }) => isSameNumber(number, first.number))
		? [first]
		: [];
}

/** The same number as E.164 where the event has it so. */
function fullest(number: string, told: Told[]): string {
	if (number.startsWith('+')) return number;
	return (
		told.find((entry) => entry.number.startsWith('+') && isSameNumber(entry.number, number))
			?.number ?? number
	);
}

/** Tells whether one end of the call is an address of our assistant's. */
function hasOurAddress({ fields }: Records): boolean {
	return fields.some(
		({ name, value }) =>
			(name.side === 'origin' || name.side === 'target') &&
			typeof value === 'string' &&
			wordsOf(value).some((word) => /^(assistant|agent|bot)$/.test(word)),
	);
}

const PARTS_OF_NAMES: Part[] = ['name', 'first', 'last', 'self'];

function personNameOf(fields: Field[], sides: Sides): string | null {
	let [found, most]: [string | null, number] = [null, 0];
	for (const field of fields) {
		const { part } = field.name;
		if (part === undefined || !PARTS_OF_NAMES.includes(part) || part === 'last' || field.isEntry)
			continue;
		const owner = sides.ownerOf(sides.of(field));
		const isVariable =
			owner === 'none' &&
			around(field.record, ({ words }) => words.includes('variable')) !== undefined;
		if (owner !== 'person' && !isVariable) continue;
		if (part === 'self' && field.name.side !== 'person') continue;
		const text = nameOf(part === 'first' ? joinedName(field, fields) : field.value);
		if (text === undefined) continue;
		const rank =
			(isCustom(field.record) ? 1 : 4) - (isVariable ? 0.5 : 0) + (part === 'name' ? 1 : 0);
		if (rank > most) [found, most] = [text, rank];
	}
	return found;
}

function joinedName({ value, record, name }: Field, fields: Field[]): string {
	const last = record.fields.find(
		(field) => field.name.part === 'last' && field.name.side === name.side,
	);
	return [value, last?.value].filter((part) => typeof part === 'string').join(' ');
}

/** A person's name: not a number, an id, or a word for someone unknown. */
function nameOf(value: unknown): string | undefined {
	const text = textOf(value)?.replace(/\s+/g, ' ');
	if (text === undefined || text.length > 120 || isWithheldText(text)) return undefined;
	return /\d{4}|@|https?:|_/.test(text) || !/\p{L}/u.test(text) ? undefined : text;
}

function emailOf(fields: Field[], sides: Sides): string | null {
	let [found, most]: [string | null, number] = [null, 0];
	for (const field of fields) {
		const { part } = field.name;
		const isAddress =
			part === 'email' ||
			(part === 'phone' && field.name.words.includes('value')) ||
			part === 'self';
		if (!isAddress || typeof field.value !== 'string' || !isEmail(field.value.trim())) continue;
		if (part === 'phone' && !around(field.record, ({ part: around }) => around === 'email'))
			continue;
		const owner = sides.ownerOf(sides.of(field));
		if (owner !== 'person') continue;
		const rank = isCustom(field.record) ? 1 : 4;
		if (rank > most) [found, most] = [field.value.trim(), rank];
	}
	return found;
}

function isEmail(text: string): boolean {
	return (
		text.length < 255 && /^[^\s@:]{1,64}@[^\s@]{1,190}$/.test(text) && /\.[^.]{2,}$/.test(text)
	);
}

function agentIdOf(fields: Field[], sides: Sides): string | null {
	return unanimous(fields, ({ name, value, ...field }) => {
		if (name.part !== 'id' || name.side === 'origin' || name.side === 'target') return undefined;
		const side = sides.of({ name, value, ...field });
		if (side !== 'agent' && side !== 'user') return undefined;
		if (sides.ownerOf(side) !== 'agent') return undefined;
		const id = typeof value === 'number' ? String(value) : textOf(value);
		return id === undefined ? undefined : [id, side === 'agent' ? 2 : 1];
	});
}

function agentNameOf(fields: Field[], sides: Sides): string | null {
	return unanimous(fields, (field) => {
		const { part } = field.name;
		if (part !== 'name' && part !== 'first') return undefined;
		const side = sides.of(field);
		const owner = sides.ownerOf(side);
		if (owner !== 'agent') return undefined;
		const name = nameOf(part === 'first' ? joinedName(field, fields) : field.value);
		return name === undefined
			? undefined
			: [name, (side === 'agent' ? 4 : 2) + (part === 'name' ? 1 : 0)];
	});
}

/** What the best fields say, if they say one thing. */
function unanimous(
	fields: Field[],
	read: (field: Field) => [string, number] | undefined,
): string | null {
	let [found, most]: [string | null, number] = [null, -1];
	for (const field of fields) {
		const told = read(field);
		if (told === undefined) continue;
		const [text, score] = told;
		const rank = score - (isCustom(field.record) ? 1 : 0);
		if (rank > most) [found, most] = [text, rank];
		else if (rank === most && text !== found) found = null;
	}
	return found;
}

/** A user of an app or a browser in place of a number. */
function isUserName(text: string): boolean {
	return /^[^\s@]+$/.test(text) && /\d|[:_-]/.test(text);
}

function isWeb({ fields }: Records): boolean {
	return fields.some(({ name, value, record }) => {
		if (isBeside(record)) return false;
		if (value === null && name.words.join(' ') === 'phone call') return true;
		if (name.topics.kind === undefined || typeof value !== 'string') return false;
		const words = wordsOf(value);
		return (
			words.some((word) =>
				/^(web|webcall|webchat|browser|widget|webrtc|chat|website)$/.test(word),
			) && !words.includes('phone')
		);
	});
}

function isTelephony({ fields, all }: Records): boolean {
	const tells = (words: readonly string[]) =>
		words.some((word) => /^(sip|pstn|phone|telephony)$/.test(word));
	return (
		all.some(({ kind }) => kind !== undefined && tells(kind)) ||
		fields.some(
			({ name, value }) =>
				name.topics.kind !== undefined && typeof value === 'string' && tells(wordsOf(value)),
		)
	);
}

const PHONE_TALK = /^(call|phone|dial|sip|ring|hangup|caller|callee|direction|number|pstn|voice)$/;

/** Tells of a conversation, and of a call or a phone not a word. */
function isConversationOnly({ fields }: Records): boolean {
	let isConversation = false;
	for (const { name, value } of fields) {
		if (name.words.some((word) => PHONE_TALK.test(word))) return false;
		const words = name.topics.kind !== undefined && typeof value === 'string' ? wordsOf(value) : [];
		if (words.some((word) => PHONE_TALK.test(word))) return false;
		isConversation ||= [...words, ...name.words].some((word) =>
			/^(conversation|session|chat)$/.test(word),
		);
	}
	return isConversation;
}
