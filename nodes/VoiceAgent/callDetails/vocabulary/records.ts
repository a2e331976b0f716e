/* Names of the objects that are entered, in lower-case words of the singular. */

/**
 * What an object is to the call. `spine`: the event, or an envelope on the way to the call; `annex`:
 * values of the call and its ends, but nobody's name; `analysis`: how it went; `recording`: where it
 * can be heard.
 */
export type Kind = 'spine' | 'annex' | 'analysis' | 'recording';

/** Envelopes that are the call itself, whose plain `id` and `status` are the call's. */
const CALL_NAMES = [
	['call', 'conversation', 'interaction', 'cdr', 'call data', 'call detail', 'call record'],
	['call object', 'call session', 'call log', 'conversation data', 'conversation detail'],
].flat();

const NAMES: Record<Kind, string[]> = {
	spine: [
		CALL_NAMES,
		['data', 'payload', 'event', 'detail', 'body', 'message', 'object', 'resource', 'param'],
		['parameter', 'result', 'record', 'session', 'property', 'field', 'attribute', 'item'],
		['entity', 'content', 'notification', 'call event', 'event data', 'event detail'],
		['event payload', 'webhook data', 'webhook payload'],
	].flat(),
	annex: [
		['metadata', 'meta', 'phone call', 'call info', 'call information', 'call metadata'],
		['call meta', 'call timing', 'telephony', 'telephony data', 'telephony info', 'voip'],
		['timing', 'timestamp'],
	].flat(),
	analysis: [
		['analysis', 'call analysis', 'conversation analysis', 'post call analysis', 'ai analysis'],
	].flat(),
	recording: [
		['recording', 'call recording', 'recording detail', 'recording info', 'recording data'],
		['artifact', 'media', 'mono'],
	].flat(),
};

export const CALLS: ReadonlySet<string> = new Set(CALL_NAMES);

export const KINDS: ReadonlyMap<string, Kind> = new Map(
	(Object.keys(NAMES) as Kind[]).flatMap((kind) => NAMES[kind].map((name) => [name, kind])),
);

/** Words of objects that are something else than the call. */
export const OTHERS: ReadonlySet<string> = new Set(
	[
		['last', 'previous', 'prior', 'next', 'first', 'old', 'new', 'recent', 'original', 'parent'],
		['child', 'related', 'linked', 'scheduled', 'upcoming', 'history', 'callback', 'transfer'],
		['transferred', 'forward', 'forwarded', 'voicemail', 'meeting', 'appointment'],
	].flat(),
);
