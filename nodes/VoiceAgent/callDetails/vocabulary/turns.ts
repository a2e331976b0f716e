/* Names and roles in the turns of transcripts. */
import { listed, setOf } from '../../matcher/words';

/** Fields of a turn that hold the spoken words, and fields that hold the speaker, the best first. */
export const TEXT_FIELDS: readonly string[] = listed(`
	content, text, message, utterance, transcript, sentence, body, speech, phrase, en text
`);
export const SPEAKER_FIELDS: readonly string[] = listed(`
	speaker name, role, speaker, speaker label, speaker role, speaker type, party, participant role,
	participant type, sender, author, user, name, user id, identifier, participant, participant id,
	speaker id, channel, source
`);

/** Roles that are not speech. Their turns are dropped. */
export const SILENT = setOf('system, tool, function, developer, action, event, node');
/** Roles of speech. */
export const SPEAKING = new Set(['user', 'assistant', 'agent', 'bot', 'ai', 'human', 'customer']);
