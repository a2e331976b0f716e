/**
 * Reads the call details of every payload and prints, for each folder, how many expected values are
 * found, missed and wrong, and every pair of payload and field that differs from `baseline.json`.
 * `npm run payloads`; with `-- --write` it writes the baseline. Fails if a value is wrong.
 */
import { rankFields } from '../../nodes/VoiceAgent/callDetails/fieldRanking';
import { writeFileSync } from 'node:fs';

import {
	BASELINE_FILE,
	countFields,
	countKept,
	FOLDERS,
	judgeFolder,
	LISTS,
	readBaseline,
	type JudgedPayloads,
} from '../support/callPayloads';
import { measureChoices } from './choices';

function main(): void {
	const today = Object.fromEntries(FOLDERS.map((folder) => [folder, judgeFolder(folder)]));
	const all = Object.assign({}, ...Object.values(today)) as JudgedPayloads;
	if (process.argv.includes('--write')) {
		const lines = Object.entries(all).map(
			([name, fields]) => `${JSON.stringify(name)}: ${JSON.stringify(fields)}`,
		);
		writeFileSync(BASELINE_FILE, `{\n${lines.join(',\n')}\n}\n`);
	}
	const baseline = readBaseline();

	for (const [name, { found, wrong }] of Object.entries(all)) {
		const before = baseline[name]?.found ?? [];
		const print = (what: string) => (field: string) => console.log(`${what} ${name}: ${field}`);
		before.filter((field) => !found.includes(field)).forEach(print('lost  '));
		found.filter((field) => !before.includes(field)).forEach(print('gained'));
		wrong.forEach(print('wrong '));
	}

	for (const [folder, payloads] of Object.entries(today)) {
		const { kept, of } = countKept(payloads, baseline);
		const counts = LISTS.map((list) => `${countFields(payloads, list)} ${list}`).join(', ');
		console.log(`${folder}: ${counts}; ${kept} of ${of} values of the baseline`);
	}
	const [found, missed, wrong] = LISTS.map((list) => countFields(all, list));
	console.log(`payloads: ${found} values found, ${missed} missed, ${wrong} wrong`);
	if (wrong || !measureChoices(rankFields)) process.exitCode = 1;
}

main();
