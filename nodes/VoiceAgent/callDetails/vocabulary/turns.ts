/* Names and roles in the turns of transcripts. */
import { listed, setOf } from '../../text/words';

/** Fields of a turn that hold the spoken words, and fields that hold the speaker, the best first. */
export const TEXT_FIELDS: readonly string[] = listed(`
	content, text, message, utterance, transcript, sentence, body, speech, phrase, en text
`);
export const SPEAKER_FIELDS: readonly string[] = listed(`
	speaker name, role, speaker, speaker label, speaker role, speaker type, party, participant role,
	participant type, sender, author, user, name, user id, identifier, participant, participant id,
	speaker id, channel, source
`);

const SILENT_ROLES = 'system, tool, function, developer, action, event, node';
/** Roles that are not speech. Their turns are dropped. */
export const SILENT = setOf(SILENT_ROLES);
/** All roles, with those of speech. */
export const ROLES = setOf(`${SILENT_ROLES}, user, assistant, agent, bot, ai, human, customer`);
