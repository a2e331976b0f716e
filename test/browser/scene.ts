import type { Page } from 'playwright-core';
import { startSandbox } from '../../sandbox/service';
import type { FeatureName } from '../../sandbox/stack/features';
import { type StackOptions, startStack } from '../../sandbox/stack/stack';
import { testNeeding } from '../compat/needs';
import { openPage, startBrowser } from './browser';
import { Editor } from './editor';

const minute = 60_000;

/** The scene of a test file, a page of its browser, and the editor on that page. */
export let scene: Awaited<ReturnType<typeof startScene>>;
export let page: Page;
export let editor: Editor;

let isBroken = false;

/**
 * A test that continues where the previous one ended. After a failed one, the others fail, too; the picture
 * of the page is then in `.tmp/failed.png`.
 *
 * @param feature the step is skipped on a line of n8n that lacks it
 */
export function step(title: string, work: () => Promise<void>, feature?: FeatureName): void {
	testNeeding(feature)(title, async () => {
		if (isBroken) throw new Error('An earlier step failed');
		isBroken = true;
		try {
			await work();
		} catch (error) {
			await page.screenshot({ path: '.tmp/failed.png' });
			throw error;
		}
		isBroken = false;
	});
}

/**
 * Starts the scene of a test file, and stops it after the last test.
 *
 * @param prepare is called after the start
 */
export function useScene(
	{ height, stack }: { height?: number; stack?: () => StackOptions },
	prepare: () => Promise<void>,
): void {
	jest.setTimeout(2 * minute);
	beforeAll(async () => {
		scene = await startScene(stack?.());
		page = await openPage(scene.browser, height);
		await prepare();
	}, 15 * minute);
	afterAll(async () => await scene?.stop(), minute);
}

/** Counts the user's actions on each page that is loaded from now on. */
export async function countActions(): Promise<void> {
	await page.addInitScript(`globalThis.actions = { clicks: 0, keystrokes: 0 };
		addEventListener('mousedown', () => actions.clicks++, true);
		for (const type of ['keydown', 'beforeinput']) addEventListener(type, () => actions.keystrokes++, true);`);
}

/** @returns the numbers of actions on the present page */
export const actions = () => page.evaluate<Record<'clicks' | 'keystrokes', number>>('actions');

/** Logs in to n8n. */
export async function logIn(): Promise<void> {
	editor = await Editor.logIn(page, scene.n8n);
}

/**
 * Starts a browser, an n8n with the connector, and a service that can deliver to it. If a part fails to start,
 * the others are stopped.
 *
 * @param options of n8n
 */
async function startScene(options?: StackOptions) {
	await using starting = new AsyncDisposableStack();
	const browser = starting.use(await startBrowser());
	const stack = starting.use(await startStack(options));
	const sandbox = starting.use(await startSandbox({ ca: stack.certificate.ca }));
	const started = starting.move();
	return {
		...{ ...stack, browser, sandbox },
		/** Creates n8n's credential for the service. @returns the reference for nodes */
		createCredential: () => stack.n8n.api.newCredentials('voiceAgentApi', sandbox.credential),
		stop: () => started.disposeAsync(),
	};
}
