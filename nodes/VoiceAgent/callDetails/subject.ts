import { wordsOf } from '../matcher/words';
import { candidatesOf, textsOf, type Call } from './callFields';
import type { Topic } from './names';
import { readPhone } from './phones';
import { readDirection, readOutcome, readUrl } from './values';
import { CALL_EVENTS, OTHER_EVENTS, WEB_WORDS } from './vocabulary/values';

/** Tells whether the event says that it is no phone call: `call_type: web_call`. */
export function isWeb(call: Call): boolean {
	return textsOf(call, 'medium').some((text) => wordsOf(text).some((word) => WEB_WORDS.has(word)));
}

/** Tells whether an event is about a call: its type says so, or it has what only calls have. */
export function isOfCall(call: Call): boolean {
	const words = textsOf(call, 'event').flatMap(wordsOf);
	const media = textsOf(call, 'medium').flatMap(wordsOf);
	if ([...words, ...media].some((word) => CALL_EVENTS.has(word))) return true;
	if (words.some((word) => OTHER_EVENTS.has(word))) return false;
	const has = (topic: Topic, read: (value: unknown) => unknown) =>
		candidatesOf(call, topic).some(({ value }) => read(value) !== null);
	return (
		has('direction', (value) => (typeof value === 'boolean' ? value : readDirection(value))) ||
		has('outcome', (value) => readOutcome(value)) ||
		has('recording', readUrl) ||
		has('transcript', (value) =>
			typeof value === 'object' || typeof value === 'string' ? value : null,
		) ||
		call.fields.some(({ name: { words, topics, side, part, place }, value, record }) => {
			if (record.kind !== 'spine' && record.kind !== 'annex') return false;
			const isEnd =
				(side === 'origin' || side === 'target') && (part === 'phone' || part === 'self');
			const isTopic =
				topics.has('id') || topics.has('start') || topics.has('end') || topics.has('duration');
			return isEnd
				? readPhone(value, place) !== null
				: isTopic && words.some((word) => CALL_EVENTS.has(word));
		})
	);
}
