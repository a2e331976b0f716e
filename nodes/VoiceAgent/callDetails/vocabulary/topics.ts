/* Names of the fields that hold a call's values, in lower-case words of the singular. */

/** How a topic's fields are named. */
export interface TopicNames {
	/** Phrases, the surest first; those of one list are equally sure. */
	names: readonly string[][];
	/** Words that may stand beside a phrase. */
	beside: ReadonlySet<string>;
}

const CALL = ['call', 'phone', 'conversation', 'session', 'interaction', 'chat'];
const CLOCK = [
	'at',
	'on',
	'time',
	'timestamp',
	'date',
	'datetime',
	'utc',
	'gmt',
	'unix',
	'epoch',
	'iso',
	'stamp',
];

/** Seconds in the units of names. */
export const UNITS: Readonly<Record<string, number>> = {
	ms: 0.001,
	msec: 0.001,
	milli: 0.001,
	millisecond: 0.001,
	sec: 1,
	second: 1,
	min: 60,
	minute: 60,
};

const ENDINGS = [
	'end',
	'ended',
	'ending',
	'hangup',
	'disconnect',
	'disconnected',
	'disconnection',
	'termination',
	'terminated',
	'failure',
	'finish',
	'finished',
];
const reasons = (word: string) => ENDINGS.map((ending) => `${ending} ${word}`);

export const TOPICS = {
	id: {
		names: [
			['call id', 'phone call id'],
			['id'],
			['call uuid', 'call guid'],
			['call reference', 'call ref'],
			['uuid', 'guid'],
			['conversation id'],
			['interaction id'],
			['execution id'],
			['chat id'],
			['conversation uuid'],
			['call sid'],
			['call unique id', 'unique id'],
			['sid'],
			['session id'],
			['call session id'],
			['call control id'],
			['call leg id'],
		],
		beside: new Set(['the', 'sip']),
	},
	start: {
		names: [['start', 'started', 'begin', 'began'], ['initiated', 'initiation'], ['joined']],
		beside: new Set([...CALL, ...CLOCK, ...Object.keys(UNITS)]),
	},
	end: {
		names: [
			['end', 'ended', 'finish', 'finished'],
			['completed', 'completion', 'hangup', 'terminated', 'disconnect', 'disconnected'],
		],
		beside: new Set([...CALL, ...CLOCK, ...Object.keys(UNITS)]),
	},
	duration: {
		names: [
			['total duration', 'corrected duration', 'overall duration', 'call duration'],
			['duration'],
			['length'],
		],
		beside: new Set([...CALL, ...Object.keys(UNITS), 'in']),
	},
	direction: {
		names: [['direction'], ['inbound', 'incoming', 'outbound', 'outgoing']],
		beside: new Set(['call', 'is', 'was', 'phone']),
	},
	medium: {
		names: [
			[
				'type',
				'kind',
				'channel',
				'medium',
				'transport',
				'mode',
				'initiation method',
				'initiation source',
			],
		],
		beside: new Set(['call', 'conversation', 'session', 'communication', 'interaction']),
	},
	event: {
		names: [
			['event', 'event type', 'event name', 'type', 'topic', 'detail type', 'action', 'kind'],
		],
		beside: new Set(['webhook']),
	},
	outcome: {
		names: [
			['disposition', 'outcome', 'call result', 'disposition name', 'disposition label'],
			['disposition code'],
			['missed reason'],
			[...reasons('reason'), 'end call reason'],
			reasons('cause'),
		],
		beside: new Set(['call', 'conversation', 'final', 'the']),
	},
	/** Less sure than an outcome, and surer than a status. */
	reason: { names: [['result'], ['reason'], ['cause']], beside: new Set(['final']) },
	status: { names: [['call status'], ['call state'], ['status']], beside: new Set(['final']) },
	summary: {
		names: [
			['summary', 'summarization', 'synopsis', 'recap'],
			['short summary', 'brief summary', 'summary short'],
		],
		beside: new Set([...CALL, 'transcript', 'ai', 'text', 'generated', 'analysis', 'long', 'post']),
	},
	transcript: {
		names: [
			['transcript', 'transcription', 'dialogue', 'dialog'],
			['concatenated transcript', 'transcript object', 'transcript json', 'utterance', 'turn'],
		],
		beside: new Set([...CALL, 'full', 'text', 'formatted', 'plain', 'complete', 'final']),
	},
	/** Lists that are a transcript if their entries have roles. */
	turns: {
		names: [
			['message'],
			['chat history', 'conversation history', 'call log', 'chat', 'conversation', 'segment'],
		],
		beside: new Set(['the']),
	},
	recording: {
		names: [
			['recording', 'combined recording'],
			['mono recording'],
			['record', 'recorded'],
			['stereo recording'],
			['audio url'],
		],
		beside: new Set([
			...CALL,
			'url',
			'link',
			'uri',
			'href',
			'download',
			'file',
			'audio',
			'media',
			'public',
			'signed',
			'presigned',
			'mp3',
			'wav',
			'full',
			'secure',
		]),
	},
	withheld: {
		names: [['anonymous', 'withheld']],
		beside: new Set(['is', 'was', 'caller', 'id', 'number', 'call', 'phone', 'from']),
	},
} satisfies Record<string, TopicNames>;

/** Fields of an object that is a recording, the surest first. */
export const RECORDING_FIELDS: readonly string[] = [
	'combined url',
	'url',
	'recording url',
	'public url',
	'download url',
	'link',
	'href',
	'uri',
	'file url',
	'media url',
];
