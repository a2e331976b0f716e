/**
 * Prints the lines of code by folder: lines that hold more than a comment. `npm run size`.
 * `-- --files` prints the ten longest files of what is published as well.
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { createSourceFile, isJSDoc, type Node, ScriptTarget, SyntaxKind } from 'typescript';

import { filesEndingIn } from './files';

const root = join(__dirname, '..');
/** The folders that are counted with what is in them; others are added to the folder above. */
const DEEPEST_FOLDER = 3;
const LONGEST_SHOWN = 10;

/** Schemas and codex files are data for the editor. */
const isCode = (file: string) => !/__schema__|\.node\.json$/.test(file);

/** Counts the lines that hold a token, which comments are not. */
export function countLines(file: string, text: string): number {
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

function main(): void {
	const files = filesEndingIn(root, '.ts', '.js', '.mjs', '.json')
		.filter(
			(file) => file.includes('/') && isCode(file) && !/^(docs|examples|\.github)\//.test(file),
		)
		.filter((file) => !/^test\/payloads\/.*json$|package-lock/.test(file))
		.map((file) => ({ file, lines: countLines(file, readFileSync(join(root, file), 'utf8')) }));
	const folders: Record<string, number> = {};
	for (const { file, lines } of files) {
		const parts = posix.dirname(file).split('/').slice(0, DEEPEST_FOLDER);
		for (let depth = 1; depth <= parts.length; depth++) {
			const folder = parts.slice(0, depth).join('/');
			folders[folder] = (folders[folder] ?? 0) + lines;
		}
	}
	const shown = Object.keys(folders).sort();
	for (const folder of shown) console.log(`${String(folders[folder]).padStart(7)}  ${folder}`);
	const published = files.filter(({ file }) => /^(nodes|credentials)\//.test(file));
	if (process.argv.includes('--files')) {
		const longest = published.sort((a, b) => b.lines - a.lines).slice(0, LONGEST_SHOWN);
		for (const { file, lines } of longest) console.log(`${String(lines).padStart(7)}  ${file}`);
	}
	const sum = published.reduce((total, { lines }) => total + lines, 0);
	console.log(`size: ${sum} lines of code in nodes and credentials`);
}

if (require.main === module) main();
