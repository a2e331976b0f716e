/**
 * Reads the call details of every payload and prints, for each folder, how many expected values are
 * found, missed and wrong, and every pair of payload and field that differs from `baseline.json`.
 * `npm run payloads`; with `-- --write` it writes the baseline. Fails if a value is wrong.
 */
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

	for (const [name, fields] of Object.entries(all)) {
		for (const field of baseline[name]?.found ?? []) {
			if (!fields.found.includes(field)) console.log(`lost   ${name}: ${field}`);
		}
		for (const field of fields.found) {
			if (!baseline[name]?.found.includes(field)) console.log(`gained ${name}: ${field}`);
		}
		for (const field of fields.wrong) console.log(`wrong  ${name}: ${field}`);
	}

	const rows = Object.entries(today).map(([folder, payloads]) => {
		const { kept, of } = countKept(payloads, baseline);
		const row = {
			payloads: Object.keys(payloads).length,
			...Object.fromEntries(LISTS.map((list) => [list, countFields(payloads, list)])),
			'of baseline': `${kept} of ${of}`,
			percent: Math.round((1000 * kept) / of) / 10,
		};
		return [folder, row] as const;
	});
	console.table(Object.fromEntries(rows));
	const [found, missed, wrong] = LISTS.map((list) => countFields(all, list));
	console.log(`payloads: ${found} values found, ${missed} missed, ${wrong} wrong`);
	if (wrong || !measureChoices()) process.exitCode = 1;
}

main();
