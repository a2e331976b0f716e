/**
 * Replaces the heading `Unreleased` in CHANGELOG.md by a version and today's date, and writes the version into the
 * README: `tsx scripts/changelog.ts VERSION`, as part of `npm run release`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const UNRELEASED = '## Unreleased';

/** @returns the text below a heading of the second level; undefined if there is no such heading */
export function entriesOf(changelog: string, heading: string): string | undefined {
	const lines = changelog.split('\n');
	const start = lines.findIndex((line) => line === heading || line.startsWith(`${heading} (`));
	if (start < 0) return undefined;
	const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
	const entries = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
	return entries.join('\n').trim();
}

/** @returns the unreleased entries, undefined if there are none */
export function unreleased(changelog: string): string | undefined {
	return entriesOf(changelog, UNRELEASED) || undefined;
}

/**
 * @param date of the release, e.g. `2026-01-31`
 * @throws an Error with advice if nothing is unreleased
 */
export function release(changelog: string, version: string, date: string): string {
	if (!unreleased(changelog)) {
		throw new Error(`CHANGELOG.md has no entries below "${UNRELEASED}". Add them.`);
	}
	return changelog.replace(UNRELEASED, () => `## ${version} (${date})`);
}

/** @returns the README with a version. The text in the comment behind "Not on npm yet" takes the place of its line. */
export function released(readme: string, version: string): string {
	return readme
		.replace(/^Version \d[\w.-]*\w/m, `Version ${version}`)
		.replace(/^.*Not on npm yet.*\n\s*<!-- (.*) -->$/m, '$1');
}

if (require.main === module) {
	const [version = ''] = process.argv.slice(2);
	const today = new Date().toISOString().slice(0, 10);
	writeFileSync('CHANGELOG.md', release(readFileSync('CHANGELOG.md', 'utf8'), version, today));
	writeFileSync('README.md', released(readFileSync('README.md', 'utf8'), version));
}
