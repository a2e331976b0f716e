import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Locator, type Page, selectors } from 'playwright-core';
import { chosenLine, lines } from '../../sandbox/stack/install-n8n';

const root = join(__dirname, '..', '..');
const programs = ['chromium', 'chromium-browser', 'google-chrome'];

/** The time-out of each wait (ms), long enough for a busy machine. */
const timeoutMs = 60_000;

// The attribute that n8n's editor uses.
selectors.setTestIdAttribute('data-test-id');

/**
 * Starts a headless Chromium that reaches this machine only, so that tests don't depend on the network.
 *
 * @throws an Error with the command to install Chromium
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
	const { CHROMIUM_PATH: chosen } = process.env;
	const paths = chosen ? [chosen] : programs.map((program) => `/usr/bin/${program}`);
	const found = paths.find((path) => existsSync(path));
	if (found) return found;
	throw new Error(
		`Found no Chromium (${paths.join(', ')}). Install one (Debian: apt-get install chromium), or set ` +
			'CHROMIUM_PATH to its path.',
	);
}

/** Opens an empty page in a new session, with two pixels for each CSS pixel. */
export async function openPage(browser: Browser, height = 1000): Promise<Page> {
	const context = await browser.newContext({
		// In a narrower window, n8n's editor truncates texts.
		viewport: { width: 1440, height },
		deviceScaleFactor: 2,
		reducedMotion: 'reduce',
	});
	context.setDefaultTimeout(timeoutMs);
	return await context.newPage();
}

/** The margin of a picture, and its lower edge. */
interface Section {
	/** The pixels around the parts. */
	margin?: number;
	/** The lowest element of the picture, if it is not the lowest of the parts. */
	downTo?: Locator;
}

/**
 * Takes a picture, and saves it.
 *
 * @param path as {@link savePicture} has it
 * @param parts the elements in the picture, with everything between them
 */
export async function takePicture(path: string, parts: [Locator, ...Locator[]], section?: Section) {
	// The documents show the newest n8n.
	if (chosenLine() === lines[0]) await savePicture(path, await pictureOf(parts, section));
}

/**
 * Saves a picture: in the documents if UPDATE_SCREENSHOTS is 1, else in `.tmp`, so that a test run does not
 * change the checkout.
 *
 * @param path under `docs`, or under `.tmp/docs`
 */
export async function savePicture(path: string, picture: Buffer): Promise<void> {
	const folder = process.env.UPDATE_SCREENSHOTS === '1' ? 'docs' : '.tmp/docs';
	const file = join(root, folder, path);
	await mkdir(join(file, '..'), { recursive: true });
	await writeFile(file, picture);
}

/** The position and size of an element, in pixels of the page. */
export type Box = { x: number; y: number; width: number; height: number };

/** The used part of the browser's type for elements. */
interface BrowserElement {
	getBoundingClientRect(): { toJSON(): Box };
}

/** @returns the smallest box around the parts. At least one element of each part must be visible. */
export async function boxOf(...parts: Locator[]): Promise<Box> {
	const boxesOfParts = parts.map(async (part) => {
		// All at once, because n8n removes some elements when the mouse moves.
		const boxes = await part.evaluateAll((elements: BrowserElement[]) =>
			elements.map((element) => element.getBoundingClientRect().toJSON()),
		);
		const visible = boxes.filter(({ width, height }) => width && height);
		if (!visible.length) throw new Error(`No element is visible: ${String(part)}`);
		return visible;
	});
	const boxes = (await Promise.all(boxesOfParts)).flat();
	const x = Math.min(...boxes.map((box) => box.x));
	const y = Math.min(...boxes.map((box) => box.y));
	const right = Math.max(...boxes.map((box) => box.x + box.width));
	const bottom = Math.max(...boxes.map((box) => box.y + box.height));
	return { x, y, width: right - x, height: bottom - y };
}

/** @returns a PNG of the smallest section of the page around the parts */
export async function pictureOf(
	parts: [Locator, ...Locator[]],
	{ margin = 0, downTo }: Section = {},
): Promise<Buffer> {
	const page = parts[0].page();
	// The positions of boxes are relative to the scroll position.
	await page.evaluate('scrollTo(0, 0)');
	const box = await boxOf(...parts);
	const last = downTo ? await boxOf(downTo) : box;
	const [x, y] = [Math.max(0, box.x - margin), Math.max(0, box.y - margin)];
	const width = box.x + box.width + margin - x;
	const height = last.y + last.height + (downTo ? 8 : margin) - y;
	return await page.screenshot({
		clip: { x, y, width, height },
		fullPage: true,
		// Large pictures have CSS pixels, so that their files stay small.
		scale: width * height > 700_000 ? 'css' : 'device',
		animations: 'disabled',
		// Hides n8n's notifications, and its links to the previous and next nodes.
		style: '.el-notification, [data-test-id=floating-node] { display: none !important }',
	});
}
