/**
 * Reads the call details of every payload and prints, for each folder, how many expected values are
 * found, missed and wrong, and every pair of payload and field that differs from `baseline.json`.
 * `npm run payloads`; with `-- --write` it writes the baseline. Fails if a value is wrong.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { FIELDS, FOLDERS, judge, readPayloads, type ExpectedField } from '../support/callPayloads';

/** The judged fields of one payload. A field that is rightly null is in no list. */
interface Fields {
	found: string[];
	missed: string[];
	wrong: string[];
}

const baselineFile = join(__dirname, 'baseline.json');
const lists = ['found', 'missed', 'wrong'] as const;

/** The judged fields of each payload of a folder, by `folder/service: variant`. */
function readFolder(folder: (typeof FOLDERS)[number]): Record<string, Fields> {
	return Object.fromEntries(
		readPayloads(folder).map(({ service, variant, body, expected }) => {
			const details = readCallDetails(body);
			const fields: Fields = { found: [], missed: [], wrong: [] };
			for (const field of Object.keys(FIELDS) as ExpectedField[]) {
				const judgement = judge(field, expected[field], FIELDS[field](details));
				if (judgement !== 'right') fields[judgement].push(field);
			}
			return [`${folder}/${service}: ${variant}`, fields];
		}),
	);
}

function main(): void {
	const today = Object.fromEntries(FOLDERS.map((folder) => [folder, readFolder(folder)]));
	const all = Object.assign({}, ...Object.values(today)) as Record<string, Fields>;
	if (process.argv.includes('--write')) {
		const lines = Object.entries(all).map(
			([name, fields]) => `${JSON.stringify(name)}: ${JSON.stringify(fields)}`,
		);
		writeFileSync(baselineFile, `{\n${lines.join(',\n')}\n}\n`);
	}
	const baseline = JSON.parse(readFileSync(baselineFile, 'utf8')) as Record<string, Fields>;

	for (const [name, fields] of Object.entries(all)) {
		for (const field of baseline[name]?.found ?? []) {
			if (!fields.found.includes(field)) console.log(`lost   ${name}: ${field}`);
		}
		for (const field of fields.found) {
			if (!baseline[name]?.found.includes(field)) console.log(`gained ${name}: ${field}`);
		}
		for (const field of fields.wrong) console.log(`wrong  ${name}: ${field}`);
	}

	const count = (payloads: Record<string, Fields>, list: (typeof lists)[number]) =>
		Object.values(payloads).reduce((sum, fields) => sum + fields[list].length, 0);
	const rows = Object.entries(today).map(([folder, payloads]) => {
		const names = Object.keys(payloads);
		const before = names.flatMap((name) =>
			(baseline[name]?.found ?? []).map((field) => [name, field] as const),
		);
		const kept = before.filter(([name, field]) => payloads[name]?.found.includes(field)).length;
		const counts = Object.fromEntries(lists.map((list) => [list, count(payloads, list)]));
		return [
			folder,
			{
				payloads: names.length,
				...counts,
				'of baseline': `${kept} of ${before.length}`,
				percent: Math.round((1000 * kept) / before.length) / 10,
			},
		] as const;
	});
	console.table(Object.fromEntries(rows));
	const wrong = count(all, 'wrong');
	console.log(
		`payloads: ${count(all, 'found')} values found, ${count(all, 'missed')} missed, ${wrong} wrong`,
	);
	if (wrong > 0) process.exitCode = 1;
}

main();
