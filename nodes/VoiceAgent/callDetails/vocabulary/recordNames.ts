/* Names of the objects that belong to the call, in lower-case words of the singular. */
import { ENVELOPES } from '../../text/vocabulary';
import { groupsOf, setOf } from '../../text/words';

/**
 * The kind of an object. `envelope`: the event, an envelope in it, or the call itself; `metadata`:
 * values of the call and numbers of its ends, but no names; `analysis`: summary and outcome;
 * `artifact`: fields of a recording; `recording`: the recording itself, whose `url` is its address.
 */
export type CallRecordKind = 'envelope' | 'metadata' | 'analysis' | 'artifact' | 'recording';

/** Envelopes that are the call itself: their plain `id` and `status` are the call's. */
const CALL_NAMES = `
	call, conversation, interaction, cdr, call data, call detail, call record, call object,
	call session, call log, conversation data, conversation detail
`;
export const CALLS = setOf(CALL_NAMES);

/** Objects with what a user gave the call, such as the ID of a record in the CRM. */
export const OF_USER = setOf('metadata, meta, call metadata, call meta');

export const KINDS = groupsOf<CallRecordKind>({
	envelope: `
		${CALL_NAMES}, ${ENVELOPES.message}, ${ENVELOPES.record}, ${ENVELOPES.fields}, object,
		resource, parameter, session, entity, call event, calling terminate, event data, event detail,
		event payload, webhook data, webhook payload
	`,
	metadata: `
		metadata, meta, phone call, call info, call information, call metadata, call meta,
		call timing, telephony, telephony data, telephony info, voip, timing, timestamp
	`,
	analysis: 'analysis, call analysis, conversation analysis, post call analysis, ai analysis',
	artifact: 'artifact, media',
	recording: 'recording, call recording, recording detail, recording info, recording data, mono',
});
