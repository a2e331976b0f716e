import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the scripts read of package.json. */
export interface Manifest {
	name: string;
	version: string;
	homepage: string;
	author: { name: string; email: string };
	/** The one place of the repository's address. */
	repository: { type: 'git'; url: string };
	scripts: Record<string, string>;
	devDependencies: Record<string, string>;
}

export function readManifest(root: string): Manifest {
	return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
}
