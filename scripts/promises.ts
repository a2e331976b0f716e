/**
 * Prints what the project promises, each promise with the command that shows it:
 * `npx tsx scripts/promises.ts`. A promise is a comment `// Promise: A token has 43 characters.` above the
 * test that fails where it is broken.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { filesEndingIn } from './files';

/** A comment that begins with a promise, above a test that is not skipped. */
const ABOVE_TEST = /^\t*\/\/ Promise: .*(?:\n\t*\/\/ .*)*(?=\n\t*(?:test|it)\b(?!\.skip))/gm;

const root = join(__dirname, '..');

export interface Promised {
	promise: string;
	file: string;
	/** Shows that it holds. */
	command: string;
}

/** @returns the command that runs a file; a suite of the end-to-end tests runs in the file that names it */
function commandOf(file: string): string {
	const suite = /^test\/e2e\/suites\/(\w+)\.ts$/.exec(file)?.[1];
	return suite ? `N8N_LINE=2.41 npx jest test/e2e/n8n.test.ts -t ${suite}` : `npx jest ${file}`;
}

/** Reads the promises of a file; each may go on in the next lines of its comment. */
function readFile(file: string): Promised[] {
	const text = readFileSync(join(root, file), 'utf8');
	const comments = text.match(ABOVE_TEST) ?? [];
	return comments.flatMap((comment) => {
		const [, ...promises] = comment.replace(/\s*\/\/ /g, ' ').split('Promise: ');
		return promises.map((promise) => ({
			promise: promise.trim(),
			file,
			command: commandOf(file),
		}));
	});
}

/** Reads the promises of all tests, in the order of the files. */
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
