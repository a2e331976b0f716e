/* Names of the fields that hold a call's values, in lower-case words of the singular. */

/** How a topic's fields are named. */
export interface TopicNames {
	/** Phrases, the surest first; those of one list are equally sure. */
	names: string[][];
	/** Words that may stand beside a phrase. */
	beside: string[];
}

const CALL = ['call', 'phone', 'conversation', 'session', 'interaction', 'chat'];
const CLOCK = [
	['at', 'on', 'time', 'timestamp', 'date', 'datetime', 'utc', 'gmt', 'unix', 'epoch', 'iso'],
	['ms', 'milli', 'millisecond', 'sec', 'second', 'stamp'],
].flat();
const ENDINGS = [
	['end', 'ended', 'ending', 'hangup', 'disconnect', 'disconnected', 'disconnection'],
	['termination', 'terminated', 'failure', 'finish', 'finished'],
].flat();

/** Seconds in the units of names. */
export const UNITS: ReadonlyMap<string, number> = new Map([
	...['ms', 'msec', 'milli', 'millisecond'].map((word) => [word, 0.001] as const),
	...['sec', 'second'].map((word) => [word, 1] as const),
	...['min', 'minute'].map((word) => [word, 60] as const),
]);

export const TOPICS = {
	id: {
		names: [
			['call id', 'phone call id'],
			['id'],
			['call uuid', 'call guid', 'call reference', 'call ref'],
			['uuid', 'guid'],
			['conversation id'],
			['interaction id'],
			['execution id'],
			['chat id', 'conversation uuid'],
			['call sid'],
			['unique id', 'call unique id', 'sid'],
			['session id'],
			['call session id'],
			['call control id'],
			['call leg id'],
		],
		beside: ['the', 'sip'],
	},
	start: {
		names: [['start', 'started', 'begin', 'began'], ['initiated', 'initiation'], ['joined']],
		beside: [...CALL, ...CLOCK],
	},
	end: {
		names: [
			['end', 'ended', 'finish', 'finished'],
			['completed', 'completion', 'hangup', 'terminated', 'disconnect', 'disconnected'],
		],
		beside: [...CALL, ...CLOCK],
	},
	duration: {
		names: [
			['total duration', 'corrected duration', 'overall duration', 'call duration'],
			['duration'],
			['length'],
		],
		beside: [...CALL, ...UNITS.keys(), 'in'],
	},
	direction: {
		names: [['direction'], ['inbound', 'incoming', 'outbound', 'outgoing']],
		beside: ['call', 'is', 'was', 'phone'],
	},
	medium: {
		names: [
			['type', 'kind', 'channel', 'medium', 'transport', 'mode'],
			['initiation method', 'initiation source'],
		],
		beside: ['call', 'conversation', 'session', 'communication', 'interaction'],
	},
	event: {
		names: [
			['event', 'event type', 'event name', 'type', 'topic', 'detail type', 'action', 'kind'],
		],
		beside: ['webhook'],
	},
	outcome: {
		names: [
			['disposition', 'outcome', 'call result', 'disposition name', 'disposition label'],
			['disposition code'],
			['missed reason'],
			['end call reason', ...ENDINGS.map((ending) => `${ending} reason`)],
			ENDINGS.map((ending) => `${ending} cause`),
		],
		beside: ['call', 'conversation', 'final', 'the'],
	},
	/** Less sure than an outcome, and surer than a status. */
	reason: { names: [['result'], ['reason'], ['cause']], beside: ['final'] },
	status: { names: [['call status'], ['call state'], ['status']], beside: ['final'] },
	summary: {
		names: [
			['summary', 'summarization', 'synopsis', 'recap'],
			['short summary', 'brief summary'],
		],
		beside: [...CALL, 'transcript', 'ai', 'text', 'generated', 'analysis', 'long', 'post'],
	},
	transcript: {
		names: [
			['transcript', 'transcription', 'dialogue', 'dialog'],
			['concatenated transcript', 'transcript object', 'transcript json', 'utterance', 'turn'],
		],
		beside: [...CALL, 'full', 'text', 'formatted', 'plain', 'complete', 'final'],
	},
	/** Lists that are a transcript if their entries have roles. */
	turns: {
		names: [
			['message'],
			['chat history', 'conversation history', 'call log', 'chat', 'conversation', 'segment'],
		],
		beside: ['the'],
	},
	recording: {
		names: [
			['recording', 'combined recording'],
			['mono recording'],
			['record', 'recorded'],
			['stereo recording'],
			['audio url'],
		],
		beside: [
			...[...CALL, 'url', 'link', 'uri', 'href', 'download', 'file', 'audio', 'media', 'public'],
			...['signed', 'presigned', 'mp3', 'wav', 'full', 'secure'],
		],
	},
	/** Fields of an object that is a recording. */
	address: {
		names: [
			['combined url'],
			['url'],
			['public url'],
			['download url'],
			['link'],
			['href'],
			['uri'],
		],
		beside: ['file', 'media'],
	},
	withheld: {
		names: [['anonymous', 'withheld']],
		beside: ['is', 'was', 'caller', 'id', 'number', 'call', 'phone', 'from'],
	},
} satisfies Record<string, TopicNames>;
