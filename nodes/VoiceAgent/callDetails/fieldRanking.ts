/**
 * Ranks the fields of events for a detail, as a person would choose from a list. It knows more names than
 * the reader of call details, which has to be sure.
 */
import type { IDataObject } from 'n8n-workflow';

import { isDeep, isNonEmpty } from '../matcher/json';
import { SUREST } from '../matcher/topicFinder';
import { DETAILS, type DetailKey } from './details';
import { isEnd, readFieldName, type Topic } from './fieldNames';
import { HINTED_SIDES, LIKELY_WORDS, SHAPES } from './vocabulary/likely';
import { NUMBER_WORDS, SIDES, type Part, type Side } from './vocabulary/partyNames';

/** A field of recent events, with the path that a mapping names. */
export interface RankedField {
	path: string;
	value: unknown;
	/** Whether the value can be read as the detail. */
	fits: boolean;
}

/** A field with its key and those of the objects that hold it, the outermost first. */
interface Leaf {
	path: string;
	keys: string[];
	value: unknown;
}

/** The further topics of the vocabulary that name a detail of the call itself. */
const FURTHER_TOPICS: Partial<Record<DetailKey, Topic>> = {
	outcome: 'status',
	transcript: 'turns',
	recordingUrl: 'address',
};

/** The parts of names that say the part of a detail; `caller` alone can be a number. */
const PARTS_OF: Partial<Record<Part, readonly Part[]>> = {
	phone: ['phone', 'self'],
	name: ['name', 'first', 'last'],
	email: ['email'],
	id: ['id'],
};

/** The points for what the name of a field and its value say. */
const NAMED = 6;
const LIKELY = 3;
const SHAPED = 3;
const SAME_SIDE = 4;
const OF_AN_END = 2;
const OTHER_SIDE = -6;
/** For each object that holds the field, and for each entry before it in a list. */
const LEVEL = -0.2;
const ENTRY = -0.5;

/** A limit for hostile events. */
const MOST_LEAVES = 5000;

/**
 * Lists the fields of events, each path once: those whose value can be read as the detail first, of these the
 * likeliest first. `{ anrufer: { nummer: '+49 30 …' } }` and `customer.phone` → `anrufer.nummer`
 *
 * @param events the newest first
 */
export function rankFields(events: readonly IDataObject[], detail: DetailKey): RankedField[] {
	const leaves = new Map<string, Leaf>();
	for (const event of events.filter((one) => !isDeep(one))) {
		for (const leaf of leavesOf(event, detail === 'transcript')) {
			if (!leaves.has(leaf.path)) leaves.set(leaf.path, leaf);
		}
	}
	return [...leaves.values()]
		.map((leaf) => ({
			leaf,
			fits: DETAILS[detail].read(leaf.value) !== null,
			points: pointsOf(leaf, detail),
		}))
		.toSorted((a, b) => Number(b.fits) - Number(a.fits) || b.points - a.points)
		.map(({ leaf: { path, value }, fits }) => ({ path, value, fits }));
}

/** Lists the fields that hold no others, the outer ones first; `hasLists`: also the lists. */
function leavesOf(event: IDataObject, hasLists: boolean): Leaf[] {
	const fields: Leaf[] = [{ path: '', keys: [], value: event }];
	for (const { path, keys, value } of fields) {
		if (!isNonEmpty(value) || fields.length > MOST_LEAVES) continue;
		for (const [key, inner] of Object.entries(value)) {
			fields.push({ path: path + stepTo(key, path), keys: [...keys, key], value: inner });
		}
	}
	return fields.filter(
		({ value }) => typeof value !== 'object' || !value || (hasLists && Array.isArray(value)),
	);
}

/** A key as a path has it: `.from`, `[0]`, `['caller number']` */
function stepTo(key: string, path: string): string {
	if (/^\d+$/.test(key)) return `[${key}]`;
	if (!/^[\p{L}\p{N}_-]+$/u.test(key)) return `['${key.replace(/[\\']/g, '\\$&')}']`;
	return path === '' ? key : `.${key}`;
}

function pointsOf({ keys, value }: Leaf, detail: DetailKey): number {
	const [owner, part] = detail.split('.') as [Side, Part?];
	const named = part ? pointsOfParty(keys, owner, part) : pointsOfTopic(keys, detail);
	const near = keys.slice(-2).flatMap((key) => readFieldName(key).words);
	const isLikely = LIKELY_WORDS[part ?? detail]?.some((word) => near.includes(word));
	const isText = typeof value === 'string' && SHAPES[part ?? detail]?.test(value);
	// A list that fits is a transcript with its speakers.
	const isShaped = isText || Array.isArray(value);
	const entries = keys.filter((key) => /^\d{1,3}$/.test(key)).map(Number);
	return (
		named +
		(isLikely ? LIKELY : 0) +
		(isShaped ? SHAPED : 0) +
		keys.length * LEVEL +
		entries.reduce((sum, place) => sum + place, 0) * ENTRY
	);
}

function pointsOfTopic(keys: string[], detail: DetailKey): number {
	const { topics } = readFieldName(keys.at(-1) ?? '');
	const named = [detail, FURTHER_TOPICS[detail]] as Topic[];
	const sureness = named.map((topic) => topics.get(topic) ?? 0);
	return (NAMED * Math.max(...sureness)) / SUREST;
}

function pointsOfParty(keys: string[], owner: Side, part: Part): number {
	const { part: own, words } = readFieldName(keys.at(-1) ?? '');
	const isNumber = part === 'phone' && words.some((word) => NUMBER_WORDS.has(word));
	const named = own && PARTS_OF[part]?.includes(own) ? NAMED : isNumber ? LIKELY : 0;
	const sides = keys.flatMap((key) => readFieldName(key).words).flatMap(sidesOf);
	if (sides.includes(owner)) return named + SAME_SIDE;
	if (sides.some((side) => !isEnd(side))) return named + OTHER_SIDE;
	return sides.length > 0 ? named + OF_AN_END : named;
}

/** The sides that a word says or hints at. */
function sidesOf(word: string): Side[] {
	const side = SIDES.get(word);
	if (side) return [side];
	return HINTED_SIDES.flatMap(([hinted, words]) => (words.includes(word) ? hinted : []));
}
