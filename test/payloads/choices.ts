/**
 * Measures the ranking of an event's fields with `choices.json`: for how many details the list has a
 * labelled field among its first five.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import type { DetailKey } from '../../nodes/VoiceAgent/callDetails/details';
import { rankFields } from '../../nodes/VoiceAgent/callDetails/fieldRanking';
import { parsePath } from '../../nodes/VoiceAgent/callDetails/mapping';
import { FOLDERS, readPayloads } from '../support/events/callPayloads';

/** The paths that a person would choose, by payload and detail. */
type Choices = Record<string, Partial<Record<DetailKey, string[]>>>;

const CHOICES_FILE = join(__dirname, 'choices.json');
/** The entries of the list that a person sees at once, and the least percentage that has a label there. */
const FIRST_ENTRIES = 5;
const LEAST_PERCENT = 95;

/**
 * Prints the measure for each folder, and the labels of `tuning` that are not among the first entries:
 * nobody looks at those of `held-out`.
 *
 * @returns whether the measure is high enough in each folder
 */
export function measureChoices(): boolean {
	const percents = FOLDERS.map((folder) => {
		const ranked = rankLabels(folder);
		const hits = ranked.filter(({ isFirst }) => isFirst).length;
		for (const { label, isFirst } of ranked) {
			if (!isFirst && folder === 'tuning') console.log(`far    ${label}`);
		}
		const percent = (100 * hits) / ranked.length;
		console.log(
			`${folder}: the list has a labelled field among its first five: ${hits} of ${ranked.length} (${percent.toFixed(1)} percent)`,
		);
		return percent;
	});
	return percents.every((percent) => percent >= LEAST_PERCENT);
}

/** Ranks the fields for each labelled detail of a folder's payloads. */
function rankLabels(folder: (typeof FOLDERS)[number]) {
	const choices = JSON.parse(readFileSync(CHOICES_FILE, 'utf8')) as Choices;
	const bodies = new Map<string, IDataObject>();
	for (const { service, variant, body } of readPayloads(folder)) {
		bodies.set(`${folder}/${service}: ${variant}`, body);
	}
	return Object.entries(choices)
		.filter(([name]) => name.startsWith(`${folder}/`))
		.flatMap(([name, details]) => {
			const body = bodies.get(name);
			if (!body) throw new Error(`choices.json names a payload that does not exist: ${name}`);
			return Object.entries(details).map(([detail, paths]) => {
				const first = rankFields([body], detail as DetailKey).slice(0, FIRST_ENTRIES);
				const labelled = new Set(paths.map(keysOf));
				const isFirst = first.some(({ path }) => labelled.has(keysOf(path)));
				return { label: `${name}: ${detail}: ${paths.join(' or ')}`, isFirst };
			});
		});
}

/** The keys of a path, however it is written: `data['x']` and `data.x` are the same field. */
function keysOf(path: string): string {
	return JSON.stringify(parsePath(path) ?? path);
}
