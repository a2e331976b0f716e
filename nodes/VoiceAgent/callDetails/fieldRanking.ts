/**
 * Ranks the fields of events for a detail, as a person would choose from the list of a mapping. It knows more
 * names than the reader of call details, which has to be sure.
 */
import type { IDataObject } from 'n8n-workflow';

import { LONGEST_FIELD_NAME } from './callFields';
import { DETAILS, type Detail, type DetailKey } from './details';
import { isEnd, readFieldName } from './fieldNames';
import { type Side, SIDES } from './vocabulary/fieldWords';
import { type Field, fieldsIn, pathTo } from '../text/json';
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

/** The points for a value that fits, and for what the names of a field and of its objects say. */
const FITS = 100;
const LIKELY = 3;
const SAME_SIDE = 4;
const OF_AN_END = 2;
const OTHER_SIDE = -6;
const NOT_FIRST = -1;

/** A limit for hostile events. */
const MOST_FIELDS = 5000;

/**
 * Lists the fields of events, each path once: those whose value can be read as the detail first, of these the
 * likeliest first. `{ anrufer: { nummer: '+49 30 …' } }` and `customer.phone` → `anrufer.nummer`
 *
 * @param events the newest first
 * @returns the fields; `fits` is whether the value can be read as the detail, `points` is the most for the likeliest
 */
export function rankFields(events: readonly IDataObject[], detail: DetailKey) {
	const fields = new Map<string, Field>();
	for (const field of events.flatMap((event) => readableFields(event, detail))) {
		const path = field.keys.reduce(pathTo, '');
		if (!fields.has(path)) fields.set(path, field);
	}
	const { read } = DETAILS[detail] as Detail;
	return [...fields]
		.map(([path, { name, keys, value }]) => {
			const fits = read(value, name) !== null;
			return { path, value, fits, points: (fits ? FITS : 0) + pointsOf(keys, detail) };
		})
		.toSorted((a, b) => b.points - a.points);
}

/**
 * Lists the fields that hold no others, the outer ones first. A transcript may be a list; collected data are
 * the objects and lists that hold others.
 */
function readableFields(event: IDataObject, detail: DetailKey): Field[] {
	const isLeaf = ({ value }: Field) =>
		typeof value !== 'object' || !value || (detail === 'transcript' && Array.isArray(value));
	const isHolder = ({ value }: Field) => typeof value === 'object' && value !== null;
	// A path repeats the names on the way to its field.
	const isNamed = ({ name }: Field) => name.length <= LONGEST_FIELD_NAME;
	const fields = fieldsIn(event, (field) => isNamed(field) && !isLeaf(field));
	return fields
		.filter(isNamed)
		.slice(0, MOST_FIELDS)
		.filter(detail === 'collected' ? isHolder : isLeaf);
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
