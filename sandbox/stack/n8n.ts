import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axios from 'axios';
import { chosenLine, DEFAULTS_OF_3, installN8n } from './install-n8n';
import { N8nApi } from './n8n-api';
import { defaultsOf3 } from './defaultsOf3';
import { freePort } from './ports';
import { run, type Server, startServer } from './processes';
import { isReady } from './proxy';

/** The options of an n8n. All but the folder have defaults. */
export interface N8nOptions {
	/** The folder for its data and log. */
	userFolder: string;
	/** A free one by default. */
	port?: number;
	/** The public base of webhook URLs, if a proxy is in front of n8n. */
	webhookUrl?: string;
	/** Further environment variables. n8n inherits few: see {@link INHERITED}. */
	env?: NodeJS.ProcessEnv;
	/** Packed community node packages (`.tgz`) to install. */
	packages?: string[];
	signal?: AbortSignal;
}

/** The command of a process of n8n. In queue mode, `start` is the main process. */
export type Command = 'start' | 'webhook' | 'worker';

/** A running process of n8n. */
export interface N8nProcess extends Server {
	/** `http://127.0.0.1:PORT`; for a worker, the address of its health check. */
	readonly url: string;
	readonly logFile: string;
}

/** A running n8n, with an owner. */
export interface N8n extends N8nProcess {
	/** Logged in as the owner. */
	readonly api: N8nApi;
}

/** The Node.js that n8n needs. The one that runs the sandbox may be another. */
const node = join(__dirname, '..', '..', 'node_modules', '.bin', 'node');

/**
 * Starts a real n8n on 127.0.0.1, installing it first if need be, and creates an owner.
 *
 * @throws an Error with the end of its log if it does not come up within three minutes
 */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const n8n = await startN8nProcess('start', options);
	try {
		return Object.assign(n8n, {
			api: await N8nApi.asNewOwner(n8n.url, chosenLine()),
		});
	} catch (error) {
		await n8n.stop();
		throw error;
	}
}

/**
 * Starts one process of n8n on 127.0.0.1, installing n8n first if need be.
 *
 * @throws an Error with the end of its log if it does not come up within three minutes
 */
export async function startN8nProcess(command: Command, options: N8nOptions): Promise<N8nProcess> {
	const { userFolder, packages, signal } = options;
	const line = chosenLine();
	const installed = await installN8n(line, signal);
	const hasDefaultsOf3 = process.env.N8N_LINE === DEFAULTS_OF_3;
	const port = options.port ?? (await freePort());
	const url = `http://127.0.0.1:${port}`;
	const logFile = join(userFolder, 'n8n.log');
	const env = {
		...environment(userFolder, port, await freePort()),
		// The module downloads its list. Older lines lack the module.
		...(line === '2.41' && { N8N_DISABLED_MODULES: 'mcp-registry' }),
		// n8n 1.x has no pool by default. Transactions then share one connection, and saved data can get lost.
		// n8n 2.x has a pool by default, and n8n 1.x advises it at its start.
		...(line === '1.123' && { DB_SQLITE_POOL_SIZE: '3' }),
		// The health check of a worker.
		...(command === 'worker' && {
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(port),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		}),
		...(options.webhookUrl && {
			// The older name, before n8n 2.35.
			[line === '2.41' ? 'N8N_WEBHOOK_URL' : 'WEBHOOK_URL']: options.webhookUrl,
			N8N_PROXY_HOPS: '1',
		}),
		...(hasDefaultsOf3 && defaultsOf3(installed, options.env?.EXECUTIONS_MODE === 'queue')),
		...options.env,
	};
	await mkdir(userFolder, { recursive: true });
	if (packages?.length) await installPackages(userFolder, packages, signal);
	const server = await startServer(
		[node, join(installed, 'node_modules', 'n8n', 'bin', 'n8n'), command],
		{ cwd: userFolder, env, logFile },
		async () => (await isReady(url)) && (command !== 'start' || (await hasApi(url))),
		'SIGTERM',
		signal,
	);
	return Object.assign(server, { url, logFile });
}

/** Whether the main process of n8n answers requests of its editor. Earlier, it answers 200 "n8n is starting up". */
async function hasApi(url: string): Promise<boolean> {
	const options = { timeout: 5000, proxy: false } as const;
	const settings = await axios.get<unknown>(`${url}/rest/settings`, options).catch(() => undefined);
	return typeof settings?.data === 'object';
}

/** What n8n inherits, so that the tests also run with other settings of its expression engine. */
const INHERITED = /^(PATH|HOME|N8N_EXPRESSION_ENGINE_\w+)$/;

function environment(userFolder: string, port: number, brokerPort: number): NodeJS.ProcessEnv {
	const inherited = Object.entries(process.env).filter(([name]) => INHERITED.test(name));
	return {
		...Object.fromEntries(inherited),
		// The same value as in n8n's image.
		NODE_ENV: 'production',
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		// The editor is served by plain HTTP.
		N8N_SECURE_COOKIE: 'false',
		// No requests go to n8n's own servers.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
	};
}

const nodesFolder = (userFolder: string) => join(userFolder, '.n8n', 'nodes');

/** The folder from which n8n loads a package that {@link installPackages} installed. */
export const installedPackage = (userFolder: string, name: string): string =>
	join(nodesFolder(userFolder), 'node_modules', name);

/** npm's arguments as in the README: n8n has the peer n8n-workflow itself, so no other package is needed. */
export const INSTALL = ['install', '--legacy-peer-deps', '--ignore-scripts'];

/** Installs packages by npm in `.n8n/nodes`, as n8n's manual describes for packages outside its list. */
export async function installPackages(
	userFolder: string,
	packages: string[],
	signal?: AbortSignal,
): Promise<void> {
	const nodes = nodesFolder(userFolder);
	await mkdir(nodes, { recursive: true });
	if (!existsSync(join(nodes, 'package.json'))) {
		await writeFile(join(nodes, 'package.json'), '{ "name": "installed-nodes", "private": true }');
	}
	await run(
		'npm',
		[...INSTALL, ...packages, '--offline', '--no-audit', '--no-fund'],
		{ cwd: nodes, env: process.env, logFile: join(userFolder, 'npm.log') },
		signal,
	);
}
