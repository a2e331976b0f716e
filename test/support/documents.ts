import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { filesEndingIn as projectFiles } from '../../scripts/files';

export const root = join(__dirname, '..', '..');

/** @returns the files of this project whose names have one of the ends, such as `.md` */
export const filesEndingIn = (...ends: string[]): string[] => projectFiles(root, ...ends);

export function read(file: string): string {
	return readFileSync(join(root, file), 'utf8');
}

/** @returns the fenced code blocks of a document; `info` is the text after the fence, such as `json event` */
export function blocksOf(text: string) {
	return [...text.matchAll(/^ *```([^\n`]*)\n([^]*?)^ *```$/gm)].map(
		([, info = '', code = '']) => ({ info: info.trim(), code }),
	);
}

/** @returns the text below a heading, up to the next heading of its level; undefined without the heading */
export function sectionOf(text: string, heading: string): string | undefined {
	const [hashes = ''] = heading.split(' ');
	const [, section] = text.split(`\n${heading}\n`);
	return section?.split(new RegExp(`^#{1,${hashes.length}} `, 'm'))[0];
}

/** @returns the first cell of each row of the first table in a text */
export function firstCells(text: string): string[] {
	const lines = text.split('\n');
	const start = lines.findIndex((line) => line.startsWith('| -'));
	if (start < 0) return [];
	const rows = lines.slice(start + 1);
	const end = rows.findIndex((line) => !line.startsWith('|'));
	return rows.slice(0, end < 0 ? undefined : end).map((row) => row.split('|')[1]?.trim() ?? '');
}
