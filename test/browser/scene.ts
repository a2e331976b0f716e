import type { Browser, Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../sandbox/service';
import type { N8n } from '../../sandbox/stack/n8n';
import { startStack } from '../../sandbox/stack/stack';
import type { Credentials } from '../e2e/harness';
import { openPage, startBrowser, steps } from './browser';
import { Editor } from './editor';

/** A browser, an n8n with the connector, and a service that can deliver to it. */
export interface Scene {
	browser: Browser;
	n8n: N8n;
	sandbox: Sandbox;
	/** Creates n8n's credential for the service. @returns the reference for nodes */
	createCredential(): Promise<Credentials>;
	stop(): Promise<void>;
}

const minute = 60_000;

/** The scene of a test file, a page of its browser, and the editor on that page. */
export let scene: Scene;
export let page: Page;
export let editor: Editor;

/** A step of a walk through the page. */
export const step = steps(() => page);

/**
 * Starts the scene of a test file, and stops it after the last test.
 *
 * @param prepare is called after the start
 */
export function useScene(
	{ height, env }: { height?: number; env?: () => NodeJS.ProcessEnv },
	prepare: () => Promise<void>,
): void {
	jest.setTimeout(2 * minute);
	beforeAll(async () => {
		scene = await startScene(env?.());
		page = await openPage(scene.browser, height);
		await prepare();
	}, 15 * minute);
	afterAll(async () => await scene?.stop(), minute);
}

/** Logs in to n8n. */
export async function logIn(): Promise<void> {
	editor = await Editor.logIn(page, scene.n8n);
}

/**
 * Starts a scene. If a part fails to start, the others are stopped.
 *
 * @param env further environment variables for n8n
 */
async function startScene(env?: NodeJS.ProcessEnv): Promise<Scene> {
	await using starting = new AsyncDisposableStack();
	const browser = await startBrowser();
	starting.defer(() => browser.close());
	const stack = starting.use(await startStack({ env }));
	const sandbox = starting.use(await startSandbox({ ca: stack.certificate.ca }));
	const started = starting.move();
	return {
		browser,
		n8n: stack.n8n,
		sandbox,
		createCredential: () => stack.n8n.api.newCredentials('voiceAgentApi', sandbox.credential),
		stop: () => started.disposeAsync(),
	};
}
