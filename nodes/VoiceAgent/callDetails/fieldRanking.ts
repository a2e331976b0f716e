/* Words that make a field likely for a detail in the list of a mapping, where a person decides. */
import type { IDataObject } from 'n8n-workflow';

import { LONGEST_FIELD_NAME } from './callFields';
import { DETAILS, type Detail, type DetailKey } from './details';
import { isEnd, readFieldName } from './fieldNames';
import { type Side, SIDES } from './vocabulary/fieldWords';
import { isObject, pathTo } from '../text/json';
import { groupsOf } from '../text/words';

/** A detail without its party: `customer.phone` → `phone` */
type PartOf<K> = K extends `${string}.${infer P}` ? P : K;

/** Words in the names of the field and of the objects that hold it, by detail or by the part of a party. */
const LIKELY_WORDS: Record<string, string> = {
	id: 'call conversation session id uuid sid key interaction cdr',
	direction: 'direction type inbound outbound kind mode',
	startedAt: 'start started begin created initiated answer connect connected date time at',
	endedAt: 'end ended completed finished hangup closed stop stopped disconnect updated time at',
	durationSeconds: 'duration second length billsec talk time total',
	outcome: 'outcome disposition status result reason state cause label tag code success intent',
	summary: 'summary note description recap comment gist analysis overview',
	transcript: 'transcript transcription message history turn dialog text utterance',
	recordingUrl: 'recording record audio media file url link voice',
	phone: 'phone number mobile tel caller from to msisdn cell',
	collected:
		'collected collection extracted extraction structured custom analysis variable output answer form slot',
	name: 'name first last full display caller',
	firstName: 'first given forename name',
	lastName: 'last family surname name',
	email: 'email mail',
} satisfies Record<PartOf<DetailKey>, string>;

/** Words of a side that are not sure enough for the reader. */
const LIKELY_SIDES = groupsOf<Side>({
	customer: 'person, people, participant, member, subscriber',
	agent: `
		user, employee, operator, staff, owner, assignee, assigned, answered, extension, queue, team,
		company, department, workflow, flow, campaign, pbx, seat, ivr, persona, manager, closer
	`,
});

/**
 * Ranks the fields of events for a detail, as a person would choose from a list. It knows more names than
 * the reader of call details, which has to be sure.
 */

/** A field with its key and those of the objects that hold it, the outermost first. */
interface Leaf {
	/** As a mapping names it. */
	path: string;
	keys: string[];
	value: unknown;
}

/** The points for a value that fits, and for what the names of a field and of its objects say. */
const FITS = 100;
const LIKELY = 3;
const SAME_SIDE = 4;
const OF_AN_END = 2;
const OTHER_SIDE = -6;
const NOT_FIRST = -1;

/** Limits for hostile events. */
const MOST_LEAVES = 5000;
const DEEPEST_LEAF = 20;

/**
 * Lists the fields of events, each path once: those whose value can be read as the detail first, of these the
 * likeliest first. `{ anrufer: { nummer: '+49 30 …' } }` and `customer.phone` → `anrufer.nummer`
 *
 * @param events the newest first
 * @returns the fields; `fits` is whether the value can be read as the detail, `points` is the most for the likeliest
 */
export function rankFields(events: readonly IDataObject[], detail: DetailKey) {
	const leaves = new Map<string, Leaf>();
	for (const leaf of events.flatMap((event) => leavesOf(event, detail))) {
		if (!leaves.has(leaf.path)) leaves.set(leaf.path, leaf);
	}
	const { read } = DETAILS[detail] as Detail;
	return [...leaves.values()]
		.map((leaf) => {
			const fits = read(leaf.value, leaf.keys.at(-1)) !== null;
			return { ...leaf, fits, points: (fits ? FITS : 0) + pointsOf(leaf.keys, detail) };
		})
		.toSorted((a, b) => b.points - a.points);
}

/**
 * Lists the fields that hold no others, the outer ones first. A transcript may be a list; collected data are
 * the objects that hold others.
 */
function leavesOf(event: IDataObject, detail: DetailKey): Leaf[] {
	const isLeaf = ({ value }: Leaf) =>
		typeof value !== 'object' || !value || (detail === 'transcript' && Array.isArray(value));
	const fields: Leaf[] = [{ path: '', keys: [], value: event }];
	for (const field of fields) {
		const { path, keys, value } = field;
		if (isLeaf(field) || fields.length > MOST_LEAVES || keys.length > DEEPEST_LEAF) continue;
		const entries = Object.entries(value as Record<string, unknown>).slice(0, MOST_LEAVES);
		for (const [key, inner] of entries) {
			if (key.length > LONGEST_FIELD_NAME) continue;
			fields.push({ path: pathTo(path, key), keys: [...keys, key], value: inner });
		}
	}
	const isHolder = ({ path, value }: Leaf) => path !== '' && isObject(value);
	return fields.filter(detail === 'collected' ? isHolder : isLeaf);
}

function pointsOf(keys: string[], detail: DetailKey): number {
	const [owner = '', part] = detail.split('.');
	const words = keys.flatMap((key) => readFieldName(key).words);
	const isLikely = LIKELY_WORDS[part ?? detail]?.split(' ').some((word) => words.includes(word));
	// A later entry of a list is less likely than the first.
	const isFirst = keys.every((key) => !/^[1-9]\d*$/.test(key));
	const side = part ? pointsOfSide(words, owner as Side) : 0;
	return side + (isLikely ? LIKELY : 0) + (isFirst ? 0 : NOT_FIRST);
}

function pointsOfSide(words: string[], owner: Side): number {
	const sides = words.flatMap((word) => SIDES.get(word) ?? LIKELY_SIDES.get(word) ?? []);
	if (sides.includes(owner)) return SAME_SIDE;
	if (sides.some((side) => !isEnd(side))) return OTHER_SIDE;
	return sides.length > 0 ? OF_AN_END : 0;
}
