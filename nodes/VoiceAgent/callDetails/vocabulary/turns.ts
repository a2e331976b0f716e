/* Words of transcripts: names of the fields of a turn, best first, and roles. */

/** Fields that hold the spoken words. */
export const TEXT_FIELDS: readonly string[] = [
	'content',
	'text',
	'message',
	'utterance',
	'transcript',
	'sentence',
	'body',
	'speech',
	'phrase',
	'en text',
];
/** Fields that say who speaks. */
export const SPEAKER_FIELDS: readonly string[] = [
	'speaker name',
	'role',
	'speaker',
	'speaker label',
	'speaker role',
	'speaker type',
	'participant role',
	'participant type',
	'party',
	'sender',
	'author',
	'user',
	'name',
	'user id',
	'identifier',
	'participant',
	'participant id',
	'speaker id',
	'speaker tag',
	'channel',
	'source',
	'type',
];
/** Roles that are not speech. */
export const SILENT_ROLES: ReadonlySet<string> = new Set([
	'system',
	'tool',
	'function',
	'developer',
	'action',
	'event',
	'node',
]);
/** Words of who speaks, which show that a list without a name holds turns. */
export const SPEAKING_ROLES: ReadonlySet<string> = new Set([
	'user',
	'assistant',
	'agent',
	'bot',
	'ai',
	'human',
	'caller',
	'customer',
]);
