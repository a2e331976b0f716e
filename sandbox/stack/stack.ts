import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Certificate, makeCertificate, trusting } from './certificates';
import { packConnector } from './connector';
import { chosenLine, installN8n } from './install-n8n';
import { installedPackage, type N8n, startN8n } from './n8n';
import { freePort } from './ports';
import { step } from './progress';
import { type Proxy, startProxy } from './proxy';

export interface StackOptions {
	/** Further environment variables for n8n. */
	env?: NodeJS.ProcessEnv;
	/** A certificate authority (PEM) that n8n trusts beside that of the proxy and the public ones. */
	authority?: string;
	/** Whether the connector is installed before n8n starts; true by default. */
	isInstalled?: boolean;
	/** Packed community node packages (`.tgz`) to install beside the connector. */
	morePackages?: string[];
	/** Its abort ends the start and all started processes. */
	signal?: AbortSignal;
}

/** A real n8n that has the connector, behind an HTTPS proxy. */
export interface Stack extends AsyncDisposable {
	readonly n8n: N8n;
	readonly proxy: Proxy;
	/** The packed connector (`.tgz`). */
	readonly packagePath: string;
	/** The installed package of the connector, from which n8n loads it. */
	readonly connectorFolder: string;
	/** The proxy's certificate. Services that deliver to n8n must trust its authority. */
	readonly certificate: Certificate;
	/** Stops everything and removes its files. */
	stop(): Promise<void>;
}

/**
 * Packs the connector and installs it into a new n8n, as a user would, and shows the steps.
 * Several can run at once: each has its own ports and its own temporary folder.
 */
export async function startStack({
	env,
	authority = '',
	isInstalled = true,
	morePackages = [],
	signal,
}: StackOptions = {}): Promise<Stack> {
	await using starting = new AsyncDisposableStack();
	const line = chosenLine();
	await installN8n(line, signal);
	const folder = await mkdtemp(join(tmpdir(), 'voice-agent-'));
	starting.defer(() => rm(folder, { recursive: true, force: true }));
	const packagePath = await step('Build and pack the connector', () =>
		packConnector(folder, signal),
	);
	return await step(`Start n8n ${line} with the connector, behind HTTPS`, async () => {
		const certificate = await makeCertificate();
		const port = await freePort();
		const proxy = await startProxy([`http://127.0.0.1:${port}`], certificate);
		starting.defer(() => proxy.stop());
		const userFolder = join(folder, 'n8n');
		const webhookUrl = proxy.url;
		const packages = [...(isInstalled ? [packagePath] : []), ...morePackages];
		const trustingEnv = { ...env, ...(await trusting(folder, certificate.ca, authority)) };
		const options = { port, userFolder, webhookUrl, env: trustingEnv, packages, signal };
		const n8n = await startN8n(options);
		starting.defer(() => n8n.stop());
		const connectorFolder = installedPackage(userFolder, 'n8n-nodes-voice-agent');
		const started = starting.move();
		const stop = () => started.disposeAsync();
		const parts = { n8n, proxy, packagePath, connectorFolder, certificate };
		return { ...parts, stop, [Symbol.asyncDispose]: stop };
	});
}
