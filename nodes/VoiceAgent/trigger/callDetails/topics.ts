import { setOf } from '../../reading/words';

/** What of a call a field may hold. */
export type Topic =
	| 'id'
	| 'start'
	| 'end'
	| 'occurred'
	| 'duration'
	| 'limit'
	| 'direction'
	| 'kind'
	| 'outcome'
	| 'summary'
	| 'transcript'
	| 'recording'
	| 'withheld';

const CALL = 'call conversation session interaction phone';
const CLOCK =
	'at time timestamp date datetime on utc gmt unix epoch iso ms millisecond millis milli sec second secs';

/** A topic: words that may stand beside its core, its cores with their scores, and words it prefers. */
interface TopicRule {
	topic: Topic;
	fillers: ReadonlySet<string>;
	cores: Record<string, number>;
	prefers?: Record<string, number>;
}

const UNITS: Array<[ReadonlySet<string>, number]> = [
	[setOf('ms milli millisecond millis msec'), 0.001],
	[setOf('s sec second secs'), 1],
	[setOf('m min minute mins'), 60],
];
/** Seconds in the unit that words tell. */
export function unitOf(words: string[]): number | undefined {
	return UNITS.find(([unit]) => words.some((word) => unit.has(word)))?.[1];
}

const UNIT_WORDS = UNITS.flatMap(([words]) => [...words]).join(' ');

export const RULES: TopicRule[] = [
	{
		topic: 'id',
		fillers: setOf('the sip'),
		cores: {
			'call id': 90,
			'phone call id': 90,
			id: 80,
			'call uuid': 75,
			'call sid': 65,
			'call guid': 75,
			'call ref': 73,
			'call reference': 73,
			uuid: 72,
			sid: 62,
			guid: 72,
			'conversation id': 70,
			'interaction id': 69,
			'execution id': 68,
			'chat id': 68,
			'conversation uuid': 67,
			'session id': 60,
			'call session id': 60,
			'call control id': 55,
			'call leg id': 50,
		},
	},
	{
		topic: 'start',
		fillers: setOf(`${CALL} ${CLOCK}`),
		cores: {
			start: 3,
			started: 3,
			'ringing start': 2,
			begin: 3,
			began: 3,
			initiated: 2,
			initiation: 2,
			joined: 1,
		},
	},
	{
		topic: 'end',
		fillers: setOf(`${CALL} ${CLOCK}`),
		cores: {
			end: 3,
			ended: 3,
			finish: 2,
			finished: 2,
			completed: 2,
			hangup: 2,
			terminated: 2,
			disconnected: 2,
			disconnect: 2,
		},
	},
	{ topic: 'occurred', fillers: setOf(CLOCK), cores: { occurred: 1 } },
	{
		topic: 'duration',
		fillers: setOf(`${CALL} ${UNIT_WORDS} total corrected whole overall in`),
		cores: { duration: 2, length: 1 },
		prefers: { total: 2, call: 1, corrected: 1 },
	},
	{
		topic: 'limit',
		fillers: setOf(`${CALL} ${UNIT_WORDS} time in`),
		cores: { 'max duration': 1, 'maximum duration': 1, 'duration limit': 1, 'max length': 1 },
	},
	{
		topic: 'direction',
		fillers: setOf(`${CALL} is was`),
		cores: { direction: 3, inbound: 2, outbound: 2, incoming: 2, outgoing: 2 },
	},
	{
		topic: 'kind',
		fillers: setOf(`${CALL} calling party transport webhook`),
		cores: {
			type: 2,
			kind: 2,
			category: 1,
			medium: 1,
			channel: 1,
			mode: 1,
			method: 1,
			platform: 1,
			'initiation method': 1,
			'initiation source': 1,
			event: 1,
			'event type': 1,
			'event name': 1,
			topic: 1,
		},
	},
	{
		topic: 'outcome',
		fillers: setOf(`${CALL} final current the`),
		cores: {
			disposition: 39,
			'disposition name': 38,
			'disposition label': 38,
			'disposition code': 37,
			outcome: 35,
			'call result': 33,
			cause: 20,
			'completion status': 12,
			status: 10,
			reason: 19,
			result: 9,
		},
		prefers: { call: 1, final: 1 },
	},
	{
		topic: 'summary',
		fillers: setOf(`${CALL} transcript ai short text generated brief chat detailed analysis`),
		cores: { summary: 5, summarization: 4, synopsis: 4, recap: 3 },
		prefers: { short: -1, brief: -1 },
	},
	{
		topic: 'transcript',
		fillers: setOf(`${CALL} full text object json concatenated formatted raw plain complete final`),
		cores: {
			transcript: 9,
			transcription: 8,
			dialogue: 8,
			dialog: 8,
			utterance: 7,
			turn: 7,
			message: 4,
			chat: 4,
			'chat history': 4,
			history: 3,
			log: 3,
			segment: 4,
			sentence: 4,
		},
		prefers: { concatenated: -1, raw: -1 },
	},
	{
		topic: 'recording',
		fillers: setOf(
			`${CALL} url link uri href download file audio media public signed presigned mono combined stereo mp3 wav location path multi channel mixed full secure src detail`,
		),
		cores: { recording: 9, record: 8, recorded: 8, 'audio url': 5 },
		prefers: { combined: 2, mono: 1, stereo: -3, multi: -4 },
	},
	{
		topic: 'withheld',
		fillers: setOf('is was caller id number call phone from'),
		cores: { anonymous: 1, withheld: 1, restricted: 1, private: 1, blocked: 1, hidden: 1 },
	},
];
const REASON = setOf('reason cause');
const ENDING = setOf(
	'end ended ending hangup hang disconnect disconnected disconnection termination terminated missed failure failed finish finished',
);
const NOT_SAID = setOf('code sip source q850 tool description category type class party');
const RECORDING_LINK = setOf(
	'url link uri href download file public signed presigned mono combined stereo mp3 wav location src media',
);

/** From this score on, a name tells of a recording or a transcript; below, it does so only inside of one. */
export const NAMED = 5;

/** The last words of a topic's cores, of which a name has one if it fits the topic. */
const HEADS = RULES.map(({ cores }) => new Set(Object.keys(cores).map(lastOf)));

function lastOf(core: string): string {
	return core.slice(core.lastIndexOf(' ') + 1);
}

/** All words that topics are told by. */
export const TOPIC_WORDS: ReadonlySet<string> = new Set([
	...RULES.flatMap(({ fillers, cores }) => [
		...fillers,
		...Object.keys(cores).join(' ').split(' '),
	]),
	...REASON,
	...ENDING,
	...RECORDING_LINK,
]);

/** How well words fit each topic; a topic that they do not fit is missing. */
export function topicsOf(words: string[]): Partial<Record<Topic, number>> {
	const topics: Partial<Record<Topic, number>> = {};
	for (const [at, { topic, fillers, cores, prefers = {} }] of RULES.entries()) {
		if (!words.some((word) => HEADS[at]?.has(word))) continue;
		const core =
			scoreIn(cores, words.join(' ')) ??
			scoreIn(cores, words.filter((word) => !fillers.has(word)).join(' '));
		if (core === undefined) continue;
		topics[topic] = core + words.reduce((sum, word) => sum + (scoreIn(prefers, word) ?? 0), 0);
	}
	if (
		words.some((word) => REASON.has(word)) &&
		words.some((word) => ENDING.has(word)) &&
		!words.some((word) => NOT_SAID.has(word))
	) {
		const score = words.includes('missed') ? 23 : words.includes('reason') ? 22 : 21;
		topics.outcome = words.includes('name') ? 20 : score;
	}
	if (words.length > 0 && words.every((word) => RECORDING_LINK.has(word))) {
		topics.recording = words.includes('combined') ? 3 : words.includes('mono') ? 2 : 1;
	}
	return topics;
}

/** A word may be the name of what every object has, such as `constructor`. */
function scoreIn(scores: Record<string, number>, words: string): number | undefined {
	return Object.hasOwn(scores, words) ? scores[words] : undefined;
}
