import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { filesEndingIn as projectFiles } from '../../scripts/files';

export const root = join(__dirname, '..', '..');

/** A fenced block of a document, with the words after its fence, such as `json event`. */
export interface Block {
	info: string;
	code: string;
}

/** @returns the files of this project whose names end so, e.g. `.md` */
export const filesEndingIn = (...ends: string[]): string[] => projectFiles(root, ...ends);

export function read(file: string): string {
	return readFileSync(join(root, file), 'utf8');
}

export function blocksOf(text: string): Block[] {
	return [...text.matchAll(/^ *```([^\n`]*)\n([^]*?)^ *```$/gm)].map(
		([, info = '', code = '']) => ({ info: info.trim(), code }),
	);
}

/** @returns a document's prose, in which nothing is taken for a link or a heading that is code */
export function withoutBlocks(text: string): string {
	return text.replace(/^ *```[^]*?^ *```$/gm, '');
}

/** @returns the text below a heading, up to the next of its level or above; undefined without it */
export function sectionOf(text: string, heading: string): string | undefined {
	const [hashes = ''] = heading.split(' ');
	const [, section] = text.split(`\n${heading}\n`);
	return section?.split(new RegExp(`^#{1,${hashes.length}} `, 'm'))[0];
}

/** @returns the first cells of the rows of the first table in a text, without the head */
export function firstCells(text: string): string[] {
	const lines = text.split('\n');
	const start = lines.findIndex((line) => line.startsWith('| -'));
	if (start < 0) return [];
	const rows = lines.slice(start + 1);
	const end = rows.findIndex((line) => !line.startsWith('|'));
	return rows.slice(0, end < 0 ? undefined : end).map((row) => row.split('|')[1]?.trim() ?? '');
}

/** @returns what the headings of a document can be linked by, as GitHub makes it of their texts */
export function anchorsOf(text: string): string[] {
	return [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
		heading
			.trim()
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replace(/\s/g, '-'),
	);
}
