import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The fields of package.json that the scripts read. */
export interface Manifest {
	name: string;
	version: string;
	homepage: string;
	author: { name: string; email: string };
	/** The address of the repository. All other files repeat it. */
	repository: { type: 'git'; url: string };
	scripts: Record<string, string>;
	devDependencies: Record<string, string>;
}

export function readManifest(root: string): Manifest {
	return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
}
