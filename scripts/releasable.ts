/**
 * Stops a release that is not ready, and says what to fill in: `npm run release:check`, with which
 * `npm run release` begins. The workflow that publishes gives it the tag that it was started by.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { addressOf, differing } from './addresses';
import { entriesOf, unreleased } from './changelog';
import { readManifest } from './manifest';

/** Where this project stood before it had an address: nobody may be led there. */
const PLACEHOLDERS = {
	address: 'https://github.com/n8n-nodes-voice-agent/',
	email: '@n8n-nodes-voice-agent.dev',
};

/**
 * @param tag that a version is published from; without one, a version is about to be made
 * @returns the missing parts, in words for the maintainer
 */
export function whatIsMissing(root: string, tag?: string): string[] {
	const manifest = readManifest(root);
	const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
	const address = addressOf(manifest);
	const missing: string[] = [];
	if (address.startsWith(PLACEHOLDERS.address)) {
		missing.push(
			`package.json: "repository" is a placeholder (${address}). Fill in the address of the repository on GitHub, then run \`npm run addresses\`.`,
		);
	}
	if (manifest.author.email.endsWith(PLACEHOLDERS.email)) {
		missing.push(
			`package.json: "author" has a placeholder for its address (${manifest.author.email}). Fill in one that reaches you.`,
		);
	}
	for (const { file } of differing(root)) {
		missing.push(`${file}: shows another address than package.json. Run \`npm run addresses\`.`);
	}
	if (tag === undefined && !unreleased(changelog)) {
		missing.push('CHANGELOG.md: nothing stands below "## Unreleased". Say what is new.');
	}
	if (tag !== undefined && tag !== manifest.version) {
		missing.push(
			`package.json: the version is ${manifest.version}, and the tag ${tag}. Make both with \`npm run release\`.`,
		);
	}
	if (tag !== undefined && !entriesOf(changelog, `## ${tag}`)) {
		missing.push(`CHANGELOG.md: nothing is said of ${tag}. \`npm run release\` makes the entry.`);
	}
	return missing;
}

if (require.main === module) {
	const missing = whatIsMissing(process.cwd(), process.argv[2]);
	for (const what of missing) console.error(`✖ ${what}`);
	if (missing.length > 0) process.exitCode = 1;
	else console.log('✔ ready to be released');
}
