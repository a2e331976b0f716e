/* Names of the fields that hold a call's values, in lower-case words of the singular. */

import type { TopicNames } from '../../matcher/topics';

const CALL = ['call', 'phone', 'conversation', 'interaction'];
const CLOCK_WORDS = [
	...['at', 'time', 'timestamp', 'datetime', 'utc', 'gmt', 'unix', 'epoch', 'iso'],
	...['ms', 'milli', 'millisecond', 'sec', 'second', 'stamp'],
];
const ENDINGS = [
	...['end', 'ended', 'ending', 'hangup', 'hang up', 'disconnect', 'disconnected', 'disconnection'],
	...['termination', 'terminated', 'failure', 'finish', 'finished'],
];

/** Words of seconds and milliseconds, with their length in seconds. */
export const UNITS: ReadonlyMap<string, number> = new Map(
	Object.entries({
		...{ s: 1, sec: 1, second: 1, ms: 0.001, msec: 0.001, milli: 0.001, millisecond: 0.001 },
	}),
);

export const TOPICS = {
	id: {
		sure: ['call id', 'phone call id'],
		lessSure: ['id'],
		ranked: [
			...['call uuid', 'call guid', 'call reference', 'call ref', 'uuid', 'guid'],
			...['conversation id', 'interaction id', 'execution id', 'chat id', 'conversation uuid'],
			...['call sid', 'call unique id', 'unique id', 'sid', 'session id', 'call session id'],
			...['call control id', 'call leg id'],
		],
		beside: ['the', 'sip'],
	},
	/** The call that this one is a leg of. */
	parent: {
		sure: ['parent call', 'parent call id', 'parent call sid', 'parent call uuid', 'parent id'],
		beside: ['the'],
	},
	start: {
		sure: ['start', 'started', 'begin', 'began'],
		lessSure: ['date started', 'call start date', 'start date time'],
		ranked: ['initiated', 'initiation', 'joined'],
		beside: [...CALL, ...CLOCK_WORDS],
	},
	end: {
		sure: ['end', 'ended', 'finish', 'finished'],
		lessSure: ['completed', 'hangup', 'hang up', 'disconnect', 'disconnected'],
		ranked: ['date ended', 'call end date', 'end date time'],
		beside: [...CALL, ...CLOCK_WORDS],
	},
	duration: {
		sure: ['total duration', 'corrected duration', 'overall duration', 'call duration'],
		ranked: ['duration', 'length'],
		beside: [...CALL, ...UNITS.keys(), 'in'],
	},
	direction: {
		sure: ['direction'],
		lessSure: ['inbound', 'incoming', 'outbound', 'outgoing'],
		beside: ['call', 'is', 'was', 'phone'],
	},
	medium: {
		sure: ['type', 'kind', 'channel', 'medium', 'transport', 'mode'],
		lessSure: ['initiation method', 'initiation source'],
		beside: ['call', 'conversation', 'session', 'communication', 'interaction'],
	},
	event: {
		sure: ['event', 'event type', 'event name', 'type', 'topic', 'detail type', 'action', 'kind'],
		beside: ['webhook'],
	},
	outcome: {
		sure: ['disposition', 'outcome', 'call result', 'disposition name', 'disposition label'],
		lessSure: ['disposition code'],
		ranked: [
			...['missed reason', 'end call reason', ...ENDINGS.map((ending) => `${ending} reason`)],
			...ENDINGS.map((ending) => `${ending} cause`),
		],
		beside: ['call', 'conversation', 'final', 'the'],
	},
	/** An outcome where there is no other. */
	status: {
		ranked: ['result', 'reason', 'cause', 'call status', 'call state', 'status'],
		beside: ['final'],
	},
	summary: {
		sure: ['summary', 'summarization', 'synopsis', 'recap'],
		lessSure: ['short summary', 'brief summary'],
		beside: [...CALL, 'transcript', 'ai', 'text', 'generated', 'analysis', 'long', 'post'],
	},
	transcript: {
		sure: ['transcript', 'transcription', 'dialogue', 'dialog'],
		lessSure: ['concatenated transcript', 'transcript object', 'utterance', 'turn'],
		beside: [...CALL, 'full', 'text', 'formatted', 'plain', 'complete', 'final', 'json'],
	},
	/** Lists that count as a transcript if their entries have roles. */
	turns: {
		ranked: ['message', 'chat history', 'conversation history', 'call log', 'chat', 'conversation'],
	},
	recording: {
		sure: ['recording', 'combined recording'],
		ranked: ['mono recording', 'recorded', 'stereo recording'],
		beside: [
			...[...CALL, 'url', 'link', 'uri', 'href', 'download', 'file', 'audio', 'media', 'public'],
			...['signed', 'presigned', 'mp3', 'wav', 'full', 'secure'],
		],
	},
	/** Fields of an object that is a recording. */
	address: {
		ranked: ['combined url', 'url', 'public url', 'download url', 'link', 'href', 'uri'],
		beside: ['file', 'media'],
	},
} satisfies Record<string, TopicNames>;
