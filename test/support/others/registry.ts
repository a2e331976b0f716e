import { readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { readManifest } from '../../../scripts/manifest';
import { root } from '../documents';
import type { Routes } from './standIn';

const { name, version } = readManifest(root);
const registry = 'registry.npmjs.org';
const path = `/${name}/-/${name}-${version}.tgz`;

/**
 * The hosts that n8n requests when a person installs the connector on its page of community nodes.
 *
 * @param packed returns the path of the packed connector (`.tgz`)
 */
export function registryHosts(packed: () => string): Record<string, Routes> {
	const newest = () => ({ name, version, dist: { tarball: `https://${registry}${path}` } });
	return {
		'api.n8n.io': { 'POST /api/package': () => ({ status: 'OK' }) },
		[registry]: {
			[`GET /${name}`]: () => ({
				...{ name, 'dist-tags': { latest: version } },
				versions: { [version]: newest() },
			}),
			[`GET /${name}/latest`]: newest,
			[`GET ${path}`]: () => readFileSync(packed()),
		},
	};
}

/** The environment in which npm has no settings and no cache of this machine. @param cache an empty folder */
export const registryEnv = (cache: string): NodeJS.ProcessEnv => ({
	npm_config_userconfig: devNull,
	npm_config_cache: cache,
	npm_config_update_notifier: 'false',
});
