/**
 * Measures the source: `npm run size` prints the lines of code of each folder, and each figure with its
 * bound, and fails if a figure exceeds its bound. A line of code holds more than a comment. The bounds are upper
 * limits: dense code is no way to meet them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { createSourceFile, isJSDoc, type Node, ScriptTarget, SyntaxKind } from 'typescript';

import { filesEndingIn } from './files';
import { filesOf, findCycles, readImports } from './imports';

const root = join(__dirname, '..');

const BOUNDS = {
	// Of these, 200 are for webhooks that a person pastes.
	'lines of code in nodes and credentials': 9100,
	'lines of the longest file in nodes and credentials': 200,
	'names that two files of nodes and credentials export': 0,
	'cycles of imports': 0,
	'kB of the packed package': 90,
	'files of a publish': 60,
	'files of a delivery': 60,
	'files of Get Deliveries': 75,
	'files of a poll': 65,
	'lines of code in test': 20_950,
	'lines of code in sandbox': 3200,
	'lines of code in scripts': 700,
};

/** A name that a file exports, apart from an operation. */
const EXPORTED = /^export (?:async )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm;

/** The folders with their own count. Other folders are counted in the folder above. */
const DEEPEST_FOLDER = 3;

interface File {
	file: string;
	text: string;
	/** The lines of code. */
	lines: number;
}

/** A figure, with its parts. */
interface Figure {
	value: number;
	details: string[];
}

/** Counts the lines that hold a token, which comments are not. */
function countLines(file: string, text: string): number {
	const source = createSourceFile(file, text, ScriptTarget.Latest);
	const lines = new Set<number>();
	const visit = (node: Node): void => {
		if (isJSDoc(node)) return;
		const children = node.getChildren(source);
		if (children.length > 0) return children.forEach(visit);
		if (node.kind === SyntaxKind.EndOfFileToken) return;
		const [start, end] = [node.getStart(source), node.getEnd()].map(
			(position) => source.getLineAndCharacterOfPosition(position).line,
		) as [number, number];
		for (let line = start; line <= end; line++) lines.add(line);
	};
	visit(source);
	return lines.size;
}

/** Reads the code of all folders. Schemas, codex files, payloads and locks are data. */
function readFiles(): File[] {
	const isData = (file: string) =>
		/__schema__|\.node\.json$|^test\/payloads\/.*json$|package-lock/.test(file);
	return filesEndingIn(root, '.ts', '.js', '.mjs', '.json')
		.filter((file) => /^(nodes|credentials|sandbox|scripts|test)\//.test(file) && !isData(file))
		.map((file) => {
			const text = readFileSync(join(root, file), 'utf8');
			return { file, text, lines: countLines(file, text) };
		});
}

function linesByFolder(files: File[]): Map<string, number> {
	const folders = new Map<string, number>();
	for (const { file, lines } of files) {
		const parts = posix.dirname(file).split('/').slice(0, DEEPEST_FOLDER);
		for (let depth = 1; depth <= parts.length; depth++) {
			const folder = parts.slice(0, depth).join('/');
			folders.set(folder, (folders.get(folder) ?? 0) + lines);
		}
	}
	return folders;
}

/**
 * Finds the names that more than one file exports, apart from operations, which are named by their resources.
 *
 * @returns each name with its files: `best: api/a.ts, delivery/b.ts`
 */
function findSharedNames(files: File[]): string[] {
	const homes = new Map<string, string[]>();
	for (const { file, text } of files.filter((one) => !one.file.endsWith('.operation.ts'))) {
		for (const [, name = ''] of text.matchAll(EXPORTED)) {
			homes.set(name, [...(homes.get(name) ?? []), file]);
		}
	}
	return [...homes]
		.filter(([, where]) => where.length > 1)
		.map(([name, where]) => `${name}: ${where.join(', ')}`);
}

/** @returns the files of the last build that npm would publish */
function measurePackage(): Figure {
	const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
		cwd: root,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const [{ size, files }] = JSON.parse(output) as [{ size: number; files: unknown[] }];
	return { value: size / 1000, details: [`${files.length} files`] };
}

function measure(files: File[], folders: Map<string, number>): Record<keyof typeof BOUNDS, Figure> {
	const linesOf = (...names: string[]): Figure => ({
		value: names.reduce((sum, name) => sum + (folders.get(name) ?? 0), 0),
		details: [],
	});
	const listed = (details: string[]): Figure => ({ value: details.length, details });
	const imports = readImports(root);
	const flow = (...entries: string[]): Figure => {
		const paths = entries.map((entry) => `nodes/VoiceAgent/${entry}`);
		return { value: filesOf(imports, ...paths).length, details: [] };
	};
	const published = files.filter(({ file }) => /^(nodes|credentials)\//.test(file));
	const [longest = { file: '', length: 0 }] = published
		.map(({ file, text }) => ({ file, length: text.trimEnd().split('\n').length }))
		.sort((a, b) => b.length - a.length);
	return {
		'lines of code in nodes and credentials': linesOf('nodes', 'credentials'),
		'lines of the longest file in nodes and credentials': {
			value: longest.length,
			details: [longest.file],
		},
		'names that two files of nodes and credentials export': listed(findSharedNames(published)),
		'cycles of imports': listed(findCycles(imports)),
		'kB of the packed package': measurePackage(),
		'files of a publish': flow('webhook/adopt', 'webhook/publish'),
		'files of a delivery': flow('delivery/receive'),
		'files of Get Deliveries': flow('operations/webhook/getDeliveries.operation'),
		'files of a poll': flow('poll/poll'),
		'lines of code in test': linesOf('test'),
		'lines of code in sandbox': linesOf('sandbox'),
		'lines of code in scripts': linesOf('scripts'),
	};
}

function main(): void {
	const files = readFiles();
	const folders = linesByFolder(files);
	for (const [folder, lines] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
		console.log(`${String(lines).padStart(7)}  ${folder}`);
	}
	console.log();
	const figures = Object.entries(measure(files, folders)) as Array<[keyof typeof BOUNDS, Figure]>;
	const broken = figures.filter(([name, { value }]) => value > BOUNDS[name]);
	for (const [name, { value, details }] of figures) {
		const mark = value > BOUNDS[name] ? '✖' : '✔';
		console.log(
			`${mark} ${String(+value.toFixed(1)).padStart(7)}  ${name} (at most ${BOUNDS[name]})`,
		);
		for (const detail of details) console.log(`           ${detail}`);
	}
	if (broken.length > 0) process.exitCode = 1;
	console.log(
		broken.length === 0
			? '\nsize: every figure is within its bound'
			: `\nsize: ${broken.length} of ${figures.length} figures are beyond their bounds`,
	);
}

main();
