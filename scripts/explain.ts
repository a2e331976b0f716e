/**
 * Prints the candidates of each call detail of an event, the highest confidence first, and the reason of
 * the choice: `npm run explain -- FILE`, where FILE holds the event as JSON.
 */
import { readFileSync } from 'node:fs';

import { traceCallDetails } from '../nodes/VoiceAgent/callDetails/callDetails';
import { DETAIL_KEYS } from '../nodes/VoiceAgent/callDetails/details';

/** The longest printed value, in characters. */
const LONGEST = 80;

/** @returns the lines that explain an event */
export function explain(event: unknown): string[] {
	const { choices, isWithheld, isWeb } = traceCallDetails(event);
	if (Object.keys(choices).length === 0) return ['The event is not about a call.'];
	const lines = DETAIL_KEYS.flatMap((key) => {
		const { value = null, why = '', candidates = [] } = choices[key] ?? {};
		return [
			`${key}: ${shown(value)} (${why})`,
			...candidates.map(
				({ path, value, confidence }) => `    ${confidence} ${path}: ${shown(value)}`,
			),
		];
	});
	return [...lines, `withheld: ${isWithheld}, web: ${isWeb}`];
}

function shown(value: unknown): string {
	const text = JSON.stringify(value) ?? String(value);
	return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

if (require.main === module) {
	const file = process.argv[2];
	if (file === undefined)
		throw new Error('Name a file that holds an event: npm run explain -- FILE');
	console.log(explain(JSON.parse(readFileSync(file, 'utf8'))).join('\n'));
}
