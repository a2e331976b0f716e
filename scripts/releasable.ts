/**
 * Stops a release that is not ready, and prints the missing parts: `npm run release:check`, the first step
 * of `npm run release`. The publishing workflow passes its tag.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { addressOf, differing } from './addresses';
import { entriesOf, unreleased } from './changelog';
import { readManifest } from './manifest';

/** The host of the addresses until this project has an owner. Nobody can register a name below `.invalid`. */
const PLACEHOLDER = 'github.invalid';

/**
 * @param tag the tag of the version to publish; undefined before the version is made
 * @returns a line for each missing part
 */
export function missingParts(root: string, tag?: string): string[] {
	const manifest = readManifest(root);
	const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
	const address = addressOf(manifest);
	const missing: string[] = [];
	if (address.includes(PLACEHOLDER)) {
		missing.push(
			`package.json: "repository" is a placeholder (${address}). Fill in the address of the repository on GitHub, then run \`npx tsx scripts/addresses.ts\`.`,
		);
	}
	if (manifest.author.email.endsWith(PLACEHOLDER)) {
		missing.push(
			`package.json: "author" has a placeholder for its address (${manifest.author.email}). Fill in your own.`,
		);
	}
	for (const { file } of differing(root)) {
		missing.push(
			`${file}: shows another address than package.json. Run \`npx tsx scripts/addresses.ts\`.`,
		);
	}
	if (tag === undefined && !unreleased(changelog)) {
		missing.push('CHANGELOG.md: no entries below "## Unreleased". Add them.');
	}
	if (tag !== undefined && tag !== manifest.version) {
		missing.push(
			`package.json: the version is ${manifest.version}, and the tag ${tag}. Make both with \`npm run release\`.`,
		);
	}
	if (tag !== undefined && !entriesOf(changelog, `## ${tag}`)) {
		missing.push(`CHANGELOG.md: no entry for ${tag}. \`npm run release\` makes it.`);
	}
	return missing;
}

if (require.main === module) {
	const missing = missingParts(process.cwd(), process.argv[2]);
	for (const part of missing) console.error(`✖ ${part}`);
	if (missing.length > 0) console.error('See docs/development.md, Before the first release.');
	if (missing.length > 0) process.exitCode = 1;
	else console.log('✔ ready to be released');
}
