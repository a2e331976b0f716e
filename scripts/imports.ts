/** The imports between the files of this project, also of types. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { preProcessFile } from 'typescript';

import { filesEndingIn } from './files';

/** A file and a file that it imports, by their paths from the root, without extensions. */
export interface Import {
	from: string;
	to: string;
}

const withoutExtension = (file: string) => file.replace(/\.ts$/, '');

/** @returns the files of this project that a file imports */
function importsOf(file: string, text: string): Import[] {
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

/**
 * Finds import cycles.
 *
 * @returns the shortest path of each cycle: `a > b > a`
 */
export function findCycles(imports: Import[]): string[] {
	const targets = new Map<string, string[]>();
	for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
	const cycles = [...targets.keys()].sort().flatMap((start) => {
		const ways = new Map([[start, [start]]]);
		for (const [file, way] of ways) {
			for (const to of targets.get(file) ?? []) {
				if (to === start) return [way];
				if (!ways.has(to)) ways.set(to, [...way, to]);
			}
		}
		return [];
	});
	const byMembers = new Map(cycles.map((way) => [way.toSorted().join(), way]));
	return [...byMembers.values()].map((way) => [...way, way[0]].join(' > '));
}

/** @returns the files that the entries need: they import them, or a file that does */
export function filesOf(imports: Import[], ...entries: string[]): string[] {
	const files = new Set(entries);
	for (const file of files) {
		for (const { from, to } of imports) if (from === file) files.add(to);
	}
	return [...files];
}
