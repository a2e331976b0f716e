/* Words of values, in lower case; where a text is read word by word, in the singular. */

/** Texts that stand for no value. */
export const NO_VALUES = new Set(
	[
		['-', '--', 'n/a', 'na', 'nil', 'nan', 'null', 'none', 'undefined', 'unknown', 'true', 'false'],
		['not provided', 'not specified', 'not available', 'not applicable'],
	].flat(),
);

/** Words that stand in place of a hidden number, words beside them, and what they are on a keypad. */
export const WITHHELD_WORDS = new Set(
	[
		['anonymous', 'restricted', 'private', 'blocked', 'withheld', 'unavailable', 'unknown'],
		['hidden', 'suppressed'],
	].flat(),
);
export const BESIDE_WITHHELD = new Set(['caller', 'call', 'number', 'id', 'cid', 'the', 'is']);
export const WITHHELD_NUMBERS = new Set(['266696687', '7378742833', '2562533', '8656696']);

export const INBOUND = new Set(['inbound', 'incoming', 'received', 'in']);
export const OUTBOUND = new Set(['outbound', 'outgoing', 'placed', 'out']);
/** Who initiated a call: `USER_INITIATED`. */
export const THEIRS = new Set(['user', 'customer', 'caller', 'contact']);
export const OURS = new Set(['business', 'agent', 'company']);

/** Media of calls that are no phone calls. */
export const WEB = new Set(['web', 'webrtc', 'webcall', 'website', 'widget', 'browser']);

/** Words of event types that are not about calls, and words that say that one is. */
export const OTHER_EVENTS = new Set(
	[
		['sms', 'mms', 'fax', 'email', 'message', 'appointment', 'booking', 'meeting', 'invoice'],
		['payment', 'subscription', 'order', 'ticket', 'task', 'deal', 'campaign'],
	].flat(),
);
export const CALL_EVENTS = new Set(
	[
		['call', 'calling', 'callback', 'conversation', 'chat', 'voice', 'voicemail', 'phone'],
		['telephony', 'interaction', 'session', 'hangup'],
	].flat(),
);

/** How calls end, for fields that may be of anything: `status`, `result`, `reason`. */
export const ENDS = new Set(
	[
		['abandoned', 'answer', 'answered', 'busy', 'cancel', 'canceled', 'cancelled', 'clearing'],
		['complete', 'completed', 'congestion', 'connected', 'contacted', 'declined', 'disconnected'],
		['done', 'dropped', 'end', 'ended', 'failed', 'finished', 'hangup', 'machine', 'missed'],
		['noanswer', 'rejected', 'terminated', 'timeout', 'transferred', 'unanswered', 'unreachable'],
		['voicemail'],
	].flat(),
);
