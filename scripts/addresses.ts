/**
 * Writes the address of the repository in package.json to all files that show it: `npx tsx scripts/addresses.ts`,
 * after "repository" was changed. The addresses end in the package's name.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { filesEndingIn } from './files';
import { type Manifest, readManifest } from './manifest';

/** @returns the page of the repository, e.g. `https://github.com/OWNER/NAME` */
export function addressOf({ repository }: Manifest): string {
	return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** @returns the files that show another address of this repository, with their corrected texts */
export function differing(root: string): Array<{ file: string; text: string }> {
	const manifest = readManifest(root);
	const pattern = String.raw`https://github\.(?:com|invalid)/[\w.-]+/${manifest.name}(?![\w-])`;
	const addresses = new RegExp(pattern, 'g');
	return filesEndingIn(root, '.json', '.md', '.ts', '.yml')
		.filter((file) => !/^(sandbox|scripts|test)\//.test(file))
		.map((file) => ({ file, was: readFileSync(join(root, file), 'utf8') }))
		.map(({ file, was }) => ({ file, was, text: was.replace(addresses, addressOf(manifest)) }))
		.filter(({ was, text }) => text !== was);
}

if (require.main === module) {
	for (const { file, text } of differing(process.cwd())) {
		writeFileSync(file, text);
		console.log(`written: ${file}`);
	}
}
