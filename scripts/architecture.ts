/**
 * Draws which room of this project imports which: `npm run architecture` writes the picture into
 * docs/architecture.md; with `-- --check` it only says whether that is up to date. It fails where an
 * import leads into a room that it may not.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { preProcessFile } from 'typescript';

import { filesEndingIn } from './files';

interface Room {
	/** How its files begin, without their extension; a file is in the first room that it fits. */
	files: RegExp;
	/** What it is for, in a few words. */
	title: string;
	/** The rooms that it may import. */
	mayImport: string[];
}

/** The part that users install, from the top down. */
const published: Record<string, Room> = {
	node: {
		files: /^nodes\/VoiceAgent\/\w+\.node$/,
		title: 'descriptions and dispatch',
		mayImport: ['endpoint', 'resources', 'trigger'],
	},
	credentials: {
		files: /^credentials\//,
		title: 'the credential',
		mayImport: ['transport'],
	},
	resources: {
		files: /^nodes\/VoiceAgent\/resources\//,
		title: 'the operations, one file each',
		mayImport: ['callDetails', 'eventTypes', 'matcher', 'parameters', 'transport'],
	},
	callDetails: {
		files: /^nodes\/VoiceAgent\/callDetails\//,
		title: 'what an event says of its call',
		mayImport: ['matcher'],
	},
	matcher: {
		files: /^nodes\/VoiceAgent\/matcher\//,
		title: 'words of names, and the choice of candidates',
		mayImport: [],
	},
	eventTypes: {
		files: /^nodes\/VoiceAgent\/eventTypes\//,
		title: 'names of event types, and the type of an event',
		mayImport: ['transport'],
	},
	delivery: {
		files: /^nodes\/VoiceAgent\/delivery\//,
		title: 'judging one request to the webhook URL',
		mayImport: ['callDetails', 'eventTypes', 'transport'],
	},
	settings: {
		files: /^nodes\/VoiceAgent\/trigger\/settings$/,
		title: "the trigger's parameters",
		mayImport: ['callDetails', 'delivery', 'parameters'],
	},
	trigger: {
		files: /^nodes\/VoiceAgent\/trigger\//,
		title: 'receiving deliveries',
		mayImport: [
			'callDetails',
			'delivery',
			'endpoint',
			'eventTypes',
			'parameters',
			'settings',
			'transport',
		],
	},
	endpoint: {
		files: /^nodes\/VoiceAgent\/endpoint\//,
		title: 'the own endpoint',
		mayImport: ['eventTypes', 'settings', 'transport'],
	},
	parameters: {
		files: /^nodes\/VoiceAgent\/parameters$/,
		title: 'what expressions give',
		mayImport: [],
	},
	transport: {
		files: /^nodes\/VoiceAgent\/transport\//,
		title: 'the one door to the service',
		mayImport: [],
	},
};

/** What is only for trying and developing. */
const development: Record<string, Room> = {
	service: {
		files: /^sandbox\/(service(\/|$)|axes$|dialects)/,
		title: 'a stand-in for the service',
		mayImport: [],
	},
	stack: {
		files: /^sandbox\//,
		title: 'a real n8n with the connector',
		mayImport: ['service'],
	},
	scripts: {
		files: /^scripts\//,
		title: 'releasing, scanning, drawing',
		mayImport: ['callDetails', 'matcher'],
	},
};

const drawn: Record<string, Room> = { ...published, ...development };

/** Not drawn: the tests look into every room. */
const test: Room = {
	files: /^test\//,
	title: 'unit, integration, end to end, browser',
	mayImport: Object.keys(drawn),
};

const rooms: Record<string, Room> = { ...drawn, test };

/** One file that imports another, by their paths from the root, without extensions. */
export interface Import {
	from: string;
	to: string;
}

const withoutExtension = (file: string) => file.replace(/\.ts$/, '');

/** @returns what a file imports of this project, types too */
export function importsOf(file: string, text: string): Import[] {
	return preProcessFile(text)
		.importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
		.map(({ fileName }) => ({
			from: withoutExtension(file),
			to: posix.join(posix.dirname(file), withoutExtension(fileName)),
		}));
}

/** @returns the imports of every TypeScript file */
export function readImports(root: string): Import[] {
	return filesEndingIn(root, '.ts').flatMap((file) =>
		importsOf(file, readFileSync(join(root, file), 'utf8')),
	);
}

function roomOf(file: string): string | undefined {
	return Object.keys(rooms).find((name) => rooms[name]?.files.test(file));
}

/** @returns the imports that lead into a room that they may not, in words */
export function findCrossings(imports: Import[]): string[] {
	return imports
		.map(({ from, to }) => ({ from, to, own: roomOf(from), other: roomOf(to) }))
		.filter(
			({ own, other }) =>
				!own || !other || (own !== other && !rooms[own]?.mayImport.includes(other)),
		)
		.map(
			({ from, to, own, other }) =>
				`${from} (${own ?? 'in no room'}) imports ${to} (${other ?? 'in no room'})`,
		);
}

/** @returns the picture, in the language of Mermaid, which GitHub shows as one */
export function draw(imports: Import[]): string {
	const box = ([name, { title }]: [string, Room]) => `\t\t${name}["${name}<br/>${title}"]`;
	const arrows = imports
		.map(({ from, to }) => [roomOf(from), roomOf(to)])
		.filter(([own, other]) => own !== other && own !== 'test')
		.map(([own = 'nowhere', other = 'nowhere']) => `\t${own} --> ${other}`);
	return [
		'flowchart TD',
		'\tsubgraph published [What users install]',
		...Object.entries(published).map(box),
		'\tend',
		'\tsubgraph development [For trying and developing]',
		...Object.entries(development).map(box),
		'\tend',
		...[...new Set(arrows)].sort(),
	].join('\n');
}

/** @returns the page with the picture in the place of the one that it has */
export function withPicture(page: string, picture: string): string {
	return page.replace(/(?<=```mermaid\n)[^`]*(?=\n```)/, () => picture);
}

if (require.main === module) {
	const file = 'docs/architecture.md';
	const imports = readImports(process.cwd());
	const page = readFileSync(file, 'utf8');
	const redrawn = withPicture(page, draw(imports));
	const problems = findCrossings(imports);
	if (!process.argv.includes('--check')) writeFileSync(file, redrawn);
	else if (redrawn !== page) problems.push(`${file} is out of date: npm run architecture`);
	for (const problem of problems) console.error(`✖ ${problem}`);
	if (problems.length > 0) process.exitCode = 1;
}
