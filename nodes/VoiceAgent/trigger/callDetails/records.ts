import { readName, type Name } from './names';
import { NAMED, type Topic } from './topics';
import { isTurns } from './transcripts';
import { wordsOf } from '../../reading/words';

/** An object of an event. */
export interface CallRecord {
	/** What its name says; the event itself has none, and an entry of a list has the list's. */
	name?: Name;
	parent?: CallRecord;
	depth: number;
	isEntry: boolean;
	/** What its own type or role says that it is, in words. */
	role?: string[];
	/** Its own fields that tell something. */
	fields: Field[];
	/** How much they tell of the call. */
	weight: number;
	/** True for the record that tells most of the call, and for all around it. */
	isSpine: boolean;
	/** True for a thing beside the call, such as its cost, and for all that is in it. */
	isBeside: boolean;
	/** True for what stands apart from the call, under a name that does not speak of one. */
	isApart: boolean;
	/** True for what users of the service define. */
	isCustom: boolean;
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

/** All that an event says; outer fields come before inner ones. */
export interface Records {
	all: CallRecord[];
	/** The record that tells most of the call. */
	call: CallRecord;
	/** What may tell of the call, by what it may tell. */
	topics: Record<Topic, Field[]>;
	/** What may tell of those who took part. */
	parties: Field[];
	/** The names of all these. */
	names: Set<Name>;
	/** Numbers whose names tell nothing. */
	strays: string[];
}

/** Deeper records are not read: no service nests so deep, and a hostile body may. */
const DEEPEST = 60;
/** Further telling fields of one record are not read, for the same reason. */
const MOST_FIELDS = 200;

/** Reads an event into records, in one pass and without recursion. */
export function readRecords(event: object): Records {
	const root = newRecord(undefined, undefined, false);
	const all = [root];
	const open: object[] = [event];
	const parties: Field[] = [];
	const names = new Set<Name>();
	const strays: string[] = [];
	const topics: Records['topics'] = {
		id: [],
		start: [],
		end: [],
		occurred: [],
		duration: [],
		limit: [],
		direction: [],
		kind: [],
		outcome: [],
		summary: [],
		transcript: [],
		recording: [],
		withheld: [],
	};
	// Grows while it is read, so that outer records come first.
	for (let at = 0; at < all.length; at++) readRecord(all[at] as CallRecord, open[at] as object);
	const call = mostTelling(all);
	for (let at: CallRecord | undefined = call; at; at = at.parent) at.isSpine = true;
	for (const record of all) place(record, call);
	return { all, call, topics, parties, names, strays };

	function readRecord(record: CallRecord, source: object): void {
		for (const key in source) {
			const value = (source as Record<string, unknown>)[key];
			const name = readName(key);
			if (typeof value !== 'object' || value === null) {
				if (value !== undefined) add({ name, value, record, isEntry: false });
			} else if (Array.isArray(value)) {
				addList(name, value, record);
			} else {
				addRecord(name, value, record, false);
			}
		}
	}

	function add(field: Field): void {
		const { name, value, record } = field;
		if (name.isRole && typeof value === 'string') record.role = wordsOf(value);
		if (!name.isTelling) {
			const isNumber = typeof value === 'string' && value.startsWith('+') && value.length < 30;
			if (isNumber && strays.length < MOST_FIELDS) strays.push(value);
			return;
		}
		if (record.fields.length >= MOST_FIELDS) return;
		record.fields.push(field);
		names.add(name);
		if (name.part !== undefined) parties.push(field);
		for (const topic in name.topics) topics[topic as Topic].push(field);
	}

	function addRecord(name: Name, value: object, parent: CallRecord, isEntry: boolean): void {
		if (parent.depth >= DEEPEST) return;
		const { summary, transcript = 0, outcome = 0 } = name.topics;
		// A summary, a transcript or a disposition may be wrapped.
		if (summary !== undefined || transcript >= 7 || outcome >= 10) {
			add({ name, value, record: parent, isEntry });
		}
		all.push(newRecord(name, parent, isEntry));
		open.push(value);
	}

	function addList(name: Name, list: unknown[], record: CallRecord): void {
		if ((name.topics.transcript !== undefined || !name.isThing) && isTurns(list, name)) {
			const turns = { name, value: list, record, isEntry: false, isTurns: true };
			record.fields.push(turns);
			topics.transcript.push(turns);
			return;
		}
		if (name.topics.summary !== undefined) add({ name, value: list, record, isEntry: false });
		for (const value of list) {
			if (typeof value !== 'object') add({ name, value, record, isEntry: true });
			else if (value !== null && !Array.isArray(value)) addRecord(name, value, record, true);
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
		fields: [],
		weight: 0,
		isSpine: false,
		isBeside: false,
		isApart: false,
		isCustom: false,
	};
}

/** Says what a record is by those around it, but for those of the call itself. */
function place(record: CallRecord, call: CallRecord): void {
	const { name, parent, isSpine } = record;
	if (isSpine || name === undefined || parent === undefined) return;
	record.isEntry ||= parent.isEntry && !parent.isSpine;
	record.isBeside = name.isThing || parent.isBeside;
	record.isApart = parent !== call && (parent.isSpine ? !name.isOfCall : parent.isApart);
	record.isCustom = name.isCustom || parent.isCustom;
}

/** How much each topic tells of whether a record is the call's. */
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

/** How much a record tells of the call: each thing counts once, however often it is said. */
function weightOf({ fields }: CallRecord): number {
	let weight = 0;
	const counted: string[] = [];
	for (const { name, value, isEntry, isTurns } of fields) {
		if (value === null || value === '' || isEntry) continue;
		const { topics, part, side, words } = name;
		if (topics.id !== undefined && words.length > 1) count('id', topics.id === 90 ? 3 : 1);
		if (side !== undefined && side !== 'other' && (part === 'phone' || part === 'self')) {
			count(side, side === 'origin' || side === 'target' ? 2 : 1);
		}
		for (const topic in topics) {
			// A link is one of a recording only inside of one.
			const isLink = topic === 'recording' && (topics.recording ?? 0) < NAMED;
			if (!isLink) count(topic, WEIGHTS[topic as Topic] ?? 0);
		}
		if (isTurns) count('transcript', 1);
	}
	return weight;

	function count(what: string, by: number): void {
		if (by === 0 || counted.includes(what)) return;
		counted.push(what);
		weight += by;
	}
}

/** What a record that is named as another thing must tell to be the call's all the same. */
const LEAST_OF_THING = 7;

/** The record that tells most of the call; parties, entries and things count less. */
function mostTelling(all: CallRecord[]): CallRecord {
	let [best, most] = [all[0] as CallRecord, -1];
	for (const record of all) {
		const { name, isEntry, fields } = record;
		if (fields.length > 0) record.weight = weightOf(record);
		const isThing = name?.isThing === true;
		const isLess = isThing || isEntry || name?.holder !== undefined;
		const weight =
			isThing && record.weight < LEAST_OF_THING ? 0 : record.weight * (isLess ? 0.3 : 1);
		if (weight > most) [best, most] = [record, weight];
	}
	return best;
}

/** The nearest record around a value, this one or further out, for which this holds. */
export function around(
	record: CallRecord,
	holds: (name: Name, record: CallRecord) => boolean,
): CallRecord | undefined {
	for (let at: CallRecord | undefined = record; at; at = at.parent) {
		if (at.name !== undefined && holds(at.name, at)) return at;
	}
	return undefined;
}
