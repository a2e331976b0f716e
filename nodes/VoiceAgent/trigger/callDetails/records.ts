import { isTurns } from './transcripts';
import { readName, type Name, type Side, type Topic } from './names';
import { wordsOf } from './words';

/** An object of an event. */
export interface CallRecord {
	/** What its name says; the event itself has none, and an entry of a list has the list's. */
	name?: Name;
	parent?: CallRecord;
	depth: number;
	isEntry: boolean;
	/** How much it tells of the call itself. */
	weight: number;
	/** True for the record that tells most of the call, and for all around it. */
	isSpine: boolean;
	/** What its own type or role says that it is. */
	kind?: string[];
	/** Its own fields that tell something. */
	fields: Field[];
}

/** A value of an event, and where it stands. */
export interface Field {
	name: Name;
	value: unknown;
	record: CallRecord;
	/** True for an entry of a list. */
	isEntry: boolean;
	/** True for a list of turns. */
	isTurns?: boolean;
}

/** All that an event says, in records. */
export interface Records {
	all: CallRecord[];
	/** Outer fields before inner ones. */
	fields: Field[];
	/** The record that tells most of the call. */
	call: CallRecord;
}

/** Deeper records are not read: no service nests so deep, and a hostile body may. */
const DEEPEST = 60;

const WEIGHTS: Partial<Record<Topic, number>> = {
	direction: 3,
	start: 2,
	end: 2,
	duration: 2,
	outcome: 1,
	recording: 1,
	transcript: 1,
	summary: 1,
};
const KINDS = new Set([
	'type',
	'kind',
	'role',
	'purpose',
	'side',
	'participant type',
	'party type',
]);

/** Reads an event into records, in one pass and without recursion. */
export function readRecords(event: object): Records {
	const root = newRecord(undefined, undefined, false);
	const all = [root];
	const fields: Field[] = [];
	const open: Array<[CallRecord, object]> = [[root, event]];
	// Grows while it is read: outer records come first.
	for (const [record, source] of open) {
		for (const key in source) {
			const value = (source as Record<string, unknown>)[key];
			if (value === undefined) continue;
			const name = readName(key);
			if (typeof value !== 'object' || value === null) {
				add(name, value, record, false);
			} else if (Array.isArray(value)) {
				addList(name, value, record);
			} else {
				addRecord(name, value, record, false);
			}
		}
	}
	const call = mostTelling(all);
	for (let record: CallRecord | undefined = call; record; record = record.parent) {
		record.isSpine = true;
	}
	return { all, fields, call };

	function add(name: Name, value: unknown, record: CallRecord, isEntry: boolean): void {
		if (typeof value === 'string' && KINDS.has(name.words.join(' '))) record.kind = wordsOf(value);
		if (name.part === undefined && !hasTopic(name)) return;
		const field = { name, value, record, isEntry };
		fields.push(field);
		record.fields.push(field);
		if (value !== null && value !== '' && !isEntry) record.weight += weightOf(name);
	}

	function addRecord(name: Name, value: object, parent: CallRecord, isEntry: boolean): void {
		if (parent.depth >= DEEPEST) return;
		if (name.topics.transcript !== undefined || name.topics.summary !== undefined) {
			add(name, value, parent, isEntry);
		}
		const record = newRecord(name, parent, isEntry);
		all.push(record);
		open.push([record, value]);
	}

	function addList(name: Name, list: unknown[], record: CallRecord): void {
		if (isTurns(list, name)) {
			fields.push({ name, value: list, record, isEntry: false, isTurns: true });
			record.weight += 1;
			return;
		}
		if (name.topics.summary !== undefined) add(name, list, record, false);
		for (const entry of list) {
			if (entry === null || entry === undefined) continue;
			if (typeof entry !== 'object') add(name, entry, record, true);
			else if (!Array.isArray(entry)) addRecord(name, entry as object, record, true);
		}
	}
}

function newRecord(
	name: Name | undefined,
	parent: CallRecord | undefined,
	isEntry: boolean,
): CallRecord {
	return {
		name,
		parent,
		depth: parent === undefined ? 0 : parent.depth + 1,
		isEntry,
		weight: 0,
		isSpine: false,
		fields: [],
	};
}

function hasTopic({ topics }: Name): boolean {
	for (const _ in topics) return true;
	return false;
}

function weightOf({ topics, part, side }: Name): number {
	const id = topics.id ?? 80;
	let weight = id === 90 ? 3 : id < 80 || isPartySide(side) ? 1 : 0;
	if (side === 'origin' || side === 'target') weight += part === 'self' || part === 'phone' ? 2 : 0;
	for (const topic in topics) weight += WEIGHTS[topic as Topic] ?? 0;
	return weight;
}

/** The record that tells most of the call; things beside it, parties and lists of others count less. */
function mostTelling(all: CallRecord[]): CallRecord {
	let best = all[0] as CallRecord;
	let most = -1;
	for (const record of all) {
		const { name, isEntry } = record;
		const isBeside = name?.isThing === true || isPartySide(name?.side);
		const weight = record.weight * (isBeside || isEntry ? 0.3 : 1);
		if (weight > most) [best, most] = [record, weight];
	}
	return best;
}

function isPartySide(side: Side | undefined): boolean {
	return side !== undefined;
}

/** The nearest record around a field, below those of the call itself, for which this holds. */
export function around(
	record: CallRecord,
	holds: (name: Name, record: CallRecord) => boolean,
): CallRecord | undefined {
	for (let at: CallRecord | undefined = record; at && !at.isSpine; at = at.parent) {
		if (at.name !== undefined && holds(at.name, at)) return at;
	}
	return undefined;
}

/** Tells whether a record is a thing beside the call, or inside of one. */
export function isBeside(record: CallRecord): boolean {
	return around(record, ({ isThing }) => isThing) !== undefined;
}

/** Tells whether a record holds what users of the service define. */
export function isCustom(record: CallRecord): boolean {
	return around(record, ({ isCustom }) => isCustom) !== undefined;
}
