/* Words that make a field likely for a detail in the list of a mapping, where a person decides. */
import { groupsOf } from '../../text/words';
import type { Side } from './partyNames';

/** Words in the names of the field and of the objects that hold it, by detail or by the part of a party. */
export const LIKELY_WORDS: Record<string, string> = {
	id: 'call conversation session id uuid sid key interaction cdr',
	direction: 'direction type inbound outbound kind mode',
	startedAt: 'start started begin created initiated answer connect connected date time at',
	endedAt: 'end ended completed finished hangup closed stop stopped disconnect updated time at',
	durationSeconds: 'duration second length billsec talk time total',
	outcome: 'outcome disposition status result reason state cause label tag code success intent',
	summary: 'summary note description recap comment gist analysis overview',
	transcript: 'transcript transcription message history turn dialog text utterance',
	recordingUrl: 'recording record audio media file url link voice',
	phone: 'phone number mobile tel caller from to msisdn cell',
	collected:
		'collected collection extracted extraction structured custom analysis variable output answer form slot',
	name: 'name first last full display caller',
	firstName: 'first given forename name',
	lastName: 'last family surname name',
	email: 'email mail',
};

/** Words of a side that are not sure enough for the reader. */
export const LIKELY_SIDES = groupsOf<Side>({
	customer: 'person, people, participant, member, subscriber',
	agent: `
		user, employee, operator, staff, owner, assignee, assigned, answered, extension, queue, team,
		company, department, workflow, flow, campaign, pbx, seat, ivr, persona, manager, closer
	`,
});
