/* Names of the fields of one collected value. */
import { groupsOf } from '../../text/words';

/** Its name, the value itself, and what is said about it. */
export type CollectedField = 'name' | 'value' | 'about';

export const COLLECTED_FIELDS = groupsOf<CollectedField>({
	name: `name, key, field, field name, variable, label, question, data collection id`,
	value: 'value, result, answer',
	about: `
		rationale, reason, reasoning, explanation, description, type, data type, json schema, schema,
		confidence, score, collected, required, source, id
	`,
});
