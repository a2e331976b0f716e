/**
 * Prints what the project promises, each promise with the command that shows it:
 * `npx tsx scripts/promises.ts`. A promise is a comment `// Promise: A token has 43 characters.` above the
 * test that fails where it is broken, or in a program that measures it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	type CallExpression,
	createSourceFile,
	type Expression,
	getLeadingCommentRanges,
	isCallExpression,
	isIdentifier,
	isPropertyAccessExpression,
	isStringLiteralLike,
	isTaggedTemplateExpression,
	type Node,
	ScriptTarget,
} from 'typescript';

import { filesEndingIn } from './files';

const root = join(__dirname, '..');

/** The commands of the programs in `test` that are no tests. */
const MEASUREMENTS: Record<string, string> = {
	bench: 'npm run bench',
	reliability: 'npm run test:reliability',
	scale: 'npm run test:scale',
};

export interface Promised {
	promise: string;
	file: string;
	/** Shows that it holds. */
	command: string;
}

/** @returns the words of a callee: `test.each(rows)` -> `test`, `each` */
function calleeWords(callee: Expression): string[] {
	if (isIdentifier(callee)) return [callee.text];
	if (isPropertyAccessExpression(callee))
		return [...calleeWords(callee.expression), callee.name.text];
	if (isCallExpression(callee)) return calleeWords(callee.expression);
	return isTaggedTemplateExpression(callee) ? calleeWords(callee.tag) : [];
}

function titleOf({ arguments: [title] }: CallExpression): string {
	return title && isStringLiteralLike(title) ? title.text : '';
}

/** @returns the promises in comments; each may go on in the next lines of its comment */
function promisesIn(comments: string): string[] {
	const lines = comments.split('\n').map((line) => line.trim().replace(/^\/\/ ?/, ''));
	const [, ...promises] = lines.join(' ').split('Promise: ');
	return promises.map((promise) => promise.trim());
}

/**
 * Lists the tests that a file runs, each with the titles of its blocks before its own (`the removal of an
 * endpoint`) and the promises above it. A test that is skipped, or in a skipped block, is left out.
 */
function readTests(file: string, text: string): Array<{ title: string; promises: string[] }> {
	const tests: Array<{ title: string; promises: string[] }> = [];
	const visit = (node: Node, around: string): void => {
		let inside = around;
		const title = isCallExpression(node) ? titleOf(node) : '';
		const [kind = '', ...modifiers] =
			title && isCallExpression(node) ? calleeWords(node.expression) : [];
		if (['test', 'it', 'describe'].includes(kind)) {
			if (modifiers.some((modifier) => ['skip', 'todo'].includes(modifier))) return;
			inside = `${around} ${title}`.trim();
			const above = getLeadingCommentRanges(text, node.getFullStart()) ?? [];
			const comments = above.map(({ pos, end }) => text.slice(pos, end)).join('\n');
			if (kind !== 'describe') tests.push({ title: inside, promises: promisesIn(comments) });
		}
		node.forEachChild((child) => visit(child, inside));
	};
	visit(createSourceFile(file, text, ScriptTarget.Latest), '');
	return tests;
}

/** @returns the command that runs a test; a suite of the end-to-end tests runs in the file that names it */
function commandOf(file: string, title: string): string {
	const suite = /^test\/e2e\/suites\/(\w+)\.ts$/.exec(file)?.[1];
	if (suite) return `npx jest test/e2e/n8n.test.ts -t ${suite}`;
	// `%s` stands for a case of a table; signs may have a meaning in Jest's pattern or in the shell.
	return `npx jest ${file} -t '${title.replace(/%\w|[^\w\s,:;-]+/g, '.*')}'`;
}

function readFile(file: string): Promised[] {
	const text = readFileSync(join(root, file), 'utf8');
	const measured = MEASUREMENTS[file.split('/')[1] ?? ''];
	if (measured) {
		const comments = text.match(/^\/\/ Promise: .*(?:\n\/\/ .*)*/gm) ?? [];
		return promisesIn(comments.join('\n')).map((promise) => ({ promise, file, command: measured }));
	}
	return readTests(file, text).flatMap(({ title, promises }) =>
		promises.map((promise) => ({ promise, file, command: commandOf(file, title) })),
	);
}

/** Reads the promises of all tests and measurements, in the order of the files. */
export function readPromises(): Promised[] {
	return filesEndingIn(root, '.ts')
		.filter((file) => file.startsWith('test/'))
		.flatMap(readFile);
}

if (require.main === module) {
	const promises = readPromises();
	for (const { promise, command } of promises) console.log(`${promise}\n    ${command}`);
	console.log(`promises: ${promises.length}, each with a command that shows it`);
}
