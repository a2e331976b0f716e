import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Locator, type Page, selectors } from 'playwright-core';

const root = join(__dirname, '..', '..');
const programs = ['chromium', 'chromium-browser', 'google-chrome'];

/** For a busy machine; nothing takes this long where all is well. */
const patienceMs = 60_000;

// What n8n's editor calls it.
selectors.setTestIdAttribute('data-test-id');

/**
 * Starts a headless Chromium that reaches this machine only, so that nothing depends on what the
 * network holds.
 *
 * @throws an Error that says how to install one
 */
export async function startBrowser(): Promise<Browser> {
	return await chromium.launch({
		executablePath: findChromium(),
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--disable-sync',
			'--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1',
		],
	});
}

function findChromium(): string {
	const { CHROMIUM_PATH: chosen, PATH = '' } = process.env;
	const folders = ['/usr/bin', ...PATH.split(delimiter)];
	const candidates = chosen
		? [chosen]
		: programs.flatMap((program) => folders.map((folder) => join(folder, program)));
	const found = candidates.find((path) => existsSync(path));
	if (found) return found;
	throw new Error(
		`Found no Chromium (${chosen ?? programs.join(', ')}). Install one (Debian: apt-get install ` +
			'chromium), or say in CHROMIUM_PATH where it is.',
	);
}

/** Opens an empty page of a session of its own. */
export async function openPage(browser: Browser, height = 800): Promise<Page> {
	const context = await browser.newContext({
		viewport: { width: 1280, height },
		reducedMotion: 'reduce',
	});
	context.setDefaultTimeout(patienceMs);
	return await context.newPage();
}

/**
 * Takes a picture: for the documents where UPDATE_SCREENSHOTS=1 asks for it, else into `.tmp`, so
 * that a test run leaves the checkout as it was.
 *
 * @param path under `docs`, or under `.tmp/docs`
 */
export async function takePicture(what: Page | Locator, path: string): Promise<void> {
	const folder = process.env.UPDATE_SCREENSHOTS === '1' ? 'docs' : '.tmp/docs';
	const file = join(root, folder, path);
	await mkdir(join(file, '..'), { recursive: true });
	// n8n's passing messages come over what the picture is to show.
	const style = '.el-notification { display: none }';
	await what.screenshot({ path: file, animations: 'disabled', style });
}

/**
 * Makes tests that each go on where the one before ended: after one that fails, there is no going on.
 *
 * @param pageOf gives the page that shows what went wrong, kept as `.tmp/failed.png`
 */
export function steps(pageOf: () => Page): (title: string, work: () => Promise<void>) => void {
	let broken = false;
	return (title, work) =>
		test(
			title,
			async () => {
				if (broken) throw new Error('An earlier step failed');
				broken = true;
				try {
					await work();
				} catch (error) {
					await pageOf().screenshot({ path: '.tmp/failed.png' });
					throw error;
				}
				broken = false;
			},
			2 * patienceMs,
		);
}
