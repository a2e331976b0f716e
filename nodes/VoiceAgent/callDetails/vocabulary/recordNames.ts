/* Names of the objects that belong to the call, in lower-case words of the singular. */
import { listed } from '../../matcher/words';

/**
 * The kind of an object. `envelope`: the event, an envelope in it, or the call itself; `metadata`:
 * values of the call and numbers of its ends, but no names; `analysis`: summary and outcome;
 * `artifact`: fields of a recording; `recording`: the recording itself, whose `url` is its address.
 */
export type CallRecordKind = 'envelope' | 'metadata' | 'analysis' | 'artifact' | 'recording';

/** Envelopes that are the call itself: their plain `id` and `status` are the call's. */
const CALL_NAMES = listed(`
	call, conversation, interaction, cdr, call data, call detail, call record, call object,
	call session, call log, conversation data, conversation detail
`);

const NAMES: Record<CallRecordKind, string[]> = {
	envelope: [
		CALL_NAMES,
		['data', 'payload', 'event', 'detail', 'body', 'message', 'object', 'resource', 'param'],
		['parameter', 'result', 'record', 'session', 'property', 'field', 'attribute', 'item'],
		['entity', 'content', 'notification', 'call event', 'calling terminate', 'event data'],
		['event detail', 'event payload', 'webhook data', 'webhook payload'],
	].flat(),
	metadata: listed(`
		metadata, meta, phone call, call info, call information, call metadata, call meta,
		call timing, telephony, telephony data, telephony info, voip, timing, timestamp
	`),
	analysis: listed(`
		analysis, call analysis, conversation analysis, post call analysis, ai analysis
	`),
	artifact: ['artifact', 'media'],
	recording: listed(`
		recording, call recording, recording detail, recording info, recording data, mono
	`),
};

export const CALLS: ReadonlySet<string> = new Set(CALL_NAMES);

export const KINDS: ReadonlyMap<string, CallRecordKind> = new Map(
	(Object.keys(NAMES) as CallRecordKind[]).flatMap((kind) =>
		NAMES[kind].map((name) => [name, kind]),
	),
);
