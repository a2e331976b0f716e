import { setOf, wordsOf } from './words';

/*
 * What the name of a field says, read from its words: services spell the same thing in many ways,
 * and the next one spells it in yet another, but they draw on one small vocabulary.
 */

/** Whose something is; a user, a caller or a called party is told apart by the rest of the event. */
export type Side = 'person' | 'agent' | 'line' | 'user' | 'origin' | 'target' | 'other';

/** What of a party a field holds; `self` is the party itself, such as `from`. */
export type Part = 'phone' | 'email' | 'name' | 'first' | 'last' | 'id' | 'self';

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

/** What a name says. */
export interface Name {
	words: readonly string[];
	side?: Side;
	part?: Part;
	/** How well the name fits each topic; a topic that it does not fit is missing. */
	topics: Partial<Record<Topic, number>>;
	/** Of a duration: seconds in its unit. */
	unit?: number;
	/** Names a thing beside the call, such as its cost, whose fields tell nothing of the call. */
	isThing: boolean;
	/** Names values that users of the service define. */
	isCustom: boolean;
	/** Names one of those who take part, without saying which. */
	isParty: boolean;
	/** A word that may be the service's own name, as in `acme_number`. */
	brand?: string;
}

const SIDES: Array<[Side, ReadonlySet<string>]> = [
	[
		'other',
		setOf(
			'transfer transferred transferring forward forwarded forwarding parent previous emergency fax alternate alternative secondary callback referrer referral voicemail tool provider billing shipping spouse supervisor webhook diversion diverted redirect redirected redirecting selected account admin manager creator created updated changed modified company invoice',
		),
	],
	[
		'person',
		setOf(
			'customer contact lead client prospect patient guest visitor external buyer consumer borrower debtor applicant candidate attendee invitee subscriber person shopper resident student donor counterparty human respondent purchaser enduser homeowner',
		),
	],
	[
		'agent',
		setOf(
			'agent assistant bot ai operator representative rep staff employee owner receptionist advisor teammate colleague assigned assignee counselor specialist host',
		),
	],
	[
		'line',
		setOf(
			'line trunk virtual tracking did internal workspace business organization our own inbox extension system',
		),
	],
	[
		'origin',
		setOf('from caller calling ani cli source origin originator originating sender initiator'),
	],
	[
		'target',
		setOf('to callee called dialed dialled dnis destination dest recipient receiver terminating'),
	],
	['user', setOf('user')],
];
const SIDE_WORDS = new Map(
	SIDES.flatMap(([side, words]) => [...words].map((word): [string, Side] => [word, side])),
);
const THINGS = setOf(
	'recording voicemail transcript transcription cost billing price pricing latency stat stats statistic quality tool action function model voice team tag note comment campaign queue webhook monitor setting config configuration plan analysis evaluation step leg segment chunk history transfer forward parent provider proxy entry routing booking appointment calendar order invoice product task ticket deal company organization account office department usage metric breakdown charge credit room menu ivr previous link squad workflow participant_stats survey csat translation',
);
const CUSTOM = setOf(
	'variable metadata custom dynamic extracted extraction collected context input parameter structured request property tag',
);
const PARTIES = setOf('participant party peer endpoint');

const PHONE_WORDS = setOf(
	'phone number mobile cell cellphone telephone tel msisdn e164 e digit raw formatted primary main sip uri address international national no num identifier value',
);
const EMAIL_WORDS = setOf('email mail address primary personal value');
const NAME_WORDS = setOf('name full display complete cnam preferred');
const ID_WORDS = setOf('id uuid sid guid');
const PARTY_FILLERS = setOf('call the participant party endpoint sip phone');
const FIRST = setOf('first,name given,name firstname forename first given');
const LAST = setOf('last,name family,name lastname surname last family');

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
const UNIT_WORDS = UNITS.flatMap(([words]) => [...words]).join(' ');

const RULES: TopicRule[] = [
	{
		topic: 'id',
		fillers: setOf('the sip'),
		cores: {
			'call id': 90,
			'phone call id': 90,
			id: 80,
			'call uuid': 75,
			'call sid': 75,
			'call guid': 75,
			uuid: 72,
			sid: 72,
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
		cores: { start: 3, started: 3, begin: 3, began: 3, initiated: 2, initiation: 2, joined: 1 },
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
		fillers: setOf(`${CALL} calling party transport`),
		cores: {
			type: 2,
			kind: 2,
			category: 1,
			medium: 1,
			channel: 1,
			mode: 1,
			method: 1,
			'': 0,
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
			outcome: 35,
			status: 10,
		},
		prefers: { call: 1, final: 1 },
	},
	{
		topic: 'summary',
		fillers: setOf(`${CALL} transcript ai short text generated brief chat detailed analysis`),
		cores: { summary: 5, synopsis: 4, recap: 3 },
		prefers: { short: -1, brief: -1, text: 0 },
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
		cores: { recording: 9, record: 8, recorded: 8 },
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
	'end ended ending hangup hang disconnect disconnected disconnection termination terminated missed close closed failure failed finish finished',
);
const NOT_SAID = setOf('code sip source q850 tool description');
const RECORDING_LINK = setOf(
	'url link uri href download file public signed presigned mono combined stereo mp3 wav location src media',
);

/** Telling words of one spelling: `hang_up` and `hangup`, `e-mail` and `email`. */
const JOINED: Record<string, string> = {
	'hang up': 'hangup',
	'hung up': 'hangup',
	'voice mail': 'voicemail',
	'call back': 'callback',
	'time stamp': 'timestamp',
	'end user': 'enduser',
	'date time': 'datetime',
};

const VOCABULARY = new Set([
	...SIDE_WORDS.keys(),
	...RULES.flatMap(({ fillers, cores }) => [
		...fillers,
		...Object.keys(cores).flatMap((core) => core.split(' ')),
	]),
	...PHONE_WORDS,
	...NAME_WORDS,
	...REASON,
	...ENDING,
	...'first last given family email'.split(' '),
]);
for (const short of ['s', 'm', 'e', 'no', 'to', 'on', 'in', 'at', 'is', 'ai', ''])
	VOCABULARY.delete(short);

/** Names repeat in every event, so what they say is kept; their number is bounded. */
const known = new Map<string, Name>();
const MOST_KNOWN = 5000;

/** Reads a name. */
export function readName(name: string): Name {
	let read = known.get(name);
	if (read === undefined) {
		read = describe(name);
		if (known.size >= MOST_KNOWN) known.clear();
		known.set(name, read);
	}
	return read;
}

function describe(text: string): Name {
	const words = joined(wordsOf(text).flatMap(unglued));
	const side = sideOf(words);
	const rest = words.filter((word) => !SIDE_WORDS.has(word));
	const name: Name = {
		words,
		side,
		part: partOf(words, rest, side),
		topics: topicsOf(words),
		unit: UNITS.find(([unit]) => words.some((word) => unit.has(word)))?.[1],
		isThing: words.some((word) => THINGS.has(word)),
		isCustom: words.some((word) => CUSTOM.has(word)),
		isParty: words.some((word) => PARTIES.has(word)),
	};
	const [brand, ...after] = words;
	if (
		side === undefined &&
		name.part === undefined &&
		brand !== undefined &&
		after.length > 0 &&
		after.every((word) => word === 'phone' || word === 'number')
	) {
		name.part = 'phone';
		name.brand = brand;
	}
	return name;
}

/** Words that were written as one: `callid`. */
function unglued(word: string): string[] {
	if (word.length < 6 || word.length > 24 || VOCABULARY.has(word)) return [word];
	for (let at = 2; at <= word.length - 2; at++) {
		const [head, tail] = [word.slice(0, at), word.slice(at)];
		if (VOCABULARY.has(head) && VOCABULARY.has(tail)) return [head, tail];
	}
	return [word];
}

function joined(words: string[]): string[] {
	const result: string[] = [];
	for (const word of words) {
		const pair = JOINED[`${result[result.length - 1] ?? ''} ${word}`];
		if (pair === undefined) result.push(word);
		else result[result.length - 1] = pair;
	}
	return result;
}

/** Whose a name says that something is; of several words, the one nearest to what it names. */
function sideOf(words: string[]): Side | undefined {
	const sides = words.flatMap((word) => SIDE_WORDS.get(word) ?? []);
	if (sides.includes('other')) return 'other';
	const told = sides.filter((side) => side === 'person' || side === 'agent' || side === 'line');
	return (
		told[told.length - 1] ??
		sides.find((side) => side === 'origin' || side === 'target') ??
		sides[0]
	);
}

function partOf(words: string[], rest: string[], side: Side | undefined): Part | undefined {
	const only = (allowed: ReadonlySet<string>, given = rest) =>
		given.every((word) => allowed.has(word));
	const plain = rest.filter((word) => !PARTY_FILLERS.has(word));
	if (plain.includes('email') || plain.includes('mail')) {
		return only(EMAIL_WORDS, plain) ? 'email' : undefined;
	}
	if (FIRST.has(plain.join(','))) return 'first';
	if (LAST.has(plain.join(','))) return 'last';
	if (words.includes('caller') && rest.join(' ') === 'id') return 'phone';
	const unnumbered = words.includes('caller') ? plain.filter((word) => word !== 'id') : plain;
	if (plain.includes('name')) return only(NAME_WORDS, unnumbered) ? 'name' : undefined;
	if (plain.length === 1 && only(ID_WORDS, plain)) return rest.length === 1 ? 'id' : undefined;
	if (
		rest.length > 0 &&
		only(
			PHONE_WORDS,
			unnumbered.filter((word) => !/^\d+$/.test(word)),
		)
	) {
		const isTelling = rest.some((word) => PHONE_WORDS.has(word));
		if (isTelling) return 'phone';
	}
	if (plain.length === 0 && (side !== undefined || words.some((word) => PARTIES.has(word)))) {
		return 'self';
	}
	return undefined;
}

function topicsOf(words: string[]): Name['topics'] {
	const topics: Name['topics'] = {};
	for (const { topic, fillers, cores, prefers = {} } of RULES) {
		const exact = cores[words.join(' ')];
		const core = exact ?? cores[words.filter((word) => !fillers.has(word)).join(' ')];
		if (core === undefined || core === 0) continue;
		topics[topic] = core + words.reduce((sum, word) => sum + (prefers[word] ?? 0), 0);
	}
	if (
		words.some((word) => REASON.has(word)) &&
		words.some((word) => ENDING.has(word)) &&
		!words.some((word) => NOT_SAID.has(word))
	) {
		topics.outcome = words.includes('missed') ? 21 : 20;
	}
	if (topics.recording === undefined && words.length > 0) {
		if (words.every((word) => RECORDING_LINK.has(word))) {
			// Tells of a recording only inside of one.
			topics.recording = 1 + (words.includes('combined') ? 2 : words.includes('mono') ? 1 : 0);
		}
	}
	return topics;
}
