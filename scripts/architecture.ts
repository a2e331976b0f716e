/**
 * Draws the imports between the folders of this project: `npx tsx scripts/architecture.ts` writes the picture into
 * docs/architecture.md. An import upwards is an error. A unit test checks both.
 */
import { readFileSync, writeFileSync } from 'node:fs';

import { type Import, readImports } from './imports';

/** The folders of the published package, from the top down, with their purposes. */
const published = {
	node: 'descriptions and dispatch',
	operations: 'the operations of the Voice Agent node',
	poll: 'the poll for missed events',
	editor: 'recent events for lists, hints and the latest event',
	delivery: 'deliveries, from the request to the items',
	webhook: "the trigger's webhook at the service",
	trigger: 'the description of the trigger, and its settings',
	state: 'the state of a trigger, stored and in memory',
	log: "the service's log of deliveries, and its missed events",
	customerMatch: "which of a CRM's records is a call's customer",
	callDetails: 'the details of a call, read from an event',
	credentials: 'the credentials',
	lists: "lists and records in the service's answers",
	service: 'requests to the service, their errors, secrets',
	auth: 'who sent a delivery: callback token, secret, signatures',
	events: 'names of event types, and what identifies an event',
	text: 'words of names, JSON, the choice among candidates',
};

/** The folders of the sandbox, from the top down. */
const development = {
	stack: 'a real n8n with the connector',
	service: 'a stand-in for the service',
};

/** A file imports its own folder and those to the right of it. Tests and scripts are not drawn. */
const ORDERS = [published, development].map((folders) => [
	'test',
	'scripts',
	...Object.keys(folders),
]);

function folderOf(file: string): string {
	const [top = '', folder = '', name = ''] = file.split('/');
	if (top === 'sandbox')
		return /^(service|axes|dialects|pasted)/.test(folder) ? 'service' : 'stack';
	if (top === 'nodes') return name.endsWith('.node') ? 'node' : name;
	return top;
}

/** @returns a line for each import that leads upwards or out of the known folders */
export function findCrossings(imports: Import[]): string[] {
	const leadsDown = (own: string, other: string) =>
		ORDERS.some((order) => order.includes(own) && order.indexOf(own) <= order.indexOf(other));
	return imports
		.filter(({ from, to }) => !leadsDown(folderOf(from), folderOf(to)))
		.map(({ from, to }) => `${from} (${folderOf(from)}) imports ${to} (${folderOf(to)})`);
}

/** The folders that each folder imports. */
function readArrows(imports: Import[]): Map<string, Set<string>> {
	const arrows = new Map<string, Set<string>>();
	for (const { from, to } of imports) {
		const [own, other] = [folderOf(from), folderOf(to)];
		if (own === other || !(own in published)) continue;
		arrows.set(own, (arrows.get(own) ?? new Set()).add(other));
	}
	return arrows;
}

/** @returns the picture as a Mermaid flowchart, without the arrows that others lead along */
export function draw(imports: Import[]): string {
	const box = ([name, title]: [string, string]) => `\t\t${name}["${name}<br/>${title}"]`;
	const arrows = readArrows(imports);
	const next = (own: string) => [...(arrows.get(own) ?? [])];
	const leads = (own: string, to: string): boolean =>
		next(own).some((one) => one === to || leads(one, to));
	const shown = [...arrows.keys()].flatMap((own) =>
		next(own)
			.filter((other) => !next(own).some((one) => leads(one, other)))
			.map((other) => `\t${own} --> ${other}`),
	);
	return [
		'flowchart TD',
		'\tsubgraph published [What users install]',
		...Object.entries(published).map(box),
		'\tend',
		...shown.sort(),
	].join('\n');
}

/** @returns the page with its picture replaced */
export function withPicture(page: string, picture: string): string {
	return page.replace(/(?<=```mermaid\n)[^`]*(?=\n```)/, () => picture);
}

if (require.main === module) {
	const file = 'docs/architecture.md';
	const imports = readImports(process.cwd());
	const crossings = findCrossings(imports);
	for (const crossing of crossings) console.error(`✖ ${crossing}`);
	if (crossings.length > 0) process.exitCode = 1;
	else writeFileSync(file, withPicture(readFileSync(file, 'utf8'), draw(imports)));
}
