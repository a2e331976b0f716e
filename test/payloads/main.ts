/**
 * Reads the call details of every payload and prints, for each folder, how many expected values are
 * found, missed and wrong, and how good the ranking of fields is: `npm run payloads`. Fails if a value is wrong.
 */
import { countFields, FOLDERS, judgeFolder, LISTS } from '../support/events/callPayloads';
import { measureChoices } from './choices';

function main(): void {
	const judged = FOLDERS.map((folder) => [folder, judgeFolder(folder)] as const);
	const rows = judged.map(([folder, payloads]) => {
		for (const [name, { wrong }] of Object.entries(payloads)) {
			for (const field of wrong) console.log(`wrong  ${name}: ${field}`);
		}
		const [found, missed, wrong] = LISTS.map((list) => countFields(payloads, list));
		return [folder, { payloads: Object.keys(payloads).length, found, missed, wrong }] as const;
	});
	console.table(Object.fromEntries(rows));
	const all = Object.assign({}, ...judged.map(([, payloads]) => payloads)) as (typeof judged)[0][1];
	const [found, missed, wrong] = LISTS.map((list) => countFields(all, list));
	console.log(`payloads: ${found} values found, ${missed} missed, ${wrong} wrong`);
	if (wrong || !measureChoices()) process.exitCode = 1;
}

main();
