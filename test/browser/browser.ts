import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Locator, type Page, selectors } from 'playwright-core';
import { type FeatureName, isLacking } from '../../sandbox/stack/features';
import { chosenLine, lines } from '../../sandbox/stack/install-n8n';
import { needing } from '../compat/report';

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

/** Opens an empty page of a session of its own, sharp enough for pictures on a good screen. */
export async function openPage(browser: Browser, height = 1000): Promise<Page> {
	const context = await browser.newContext({
		// n8n's editor cuts texts in a narrower one.
		viewport: { width: 1440, height },
		deviceScaleFactor: 2,
		reducedMotion: 'reduce',
	});
	context.setDefaultTimeout(patienceMs);
	return await context.newPage();
}

/** Which part of the page a picture shows. */
interface Section {
	/** Pixels of the page around it. */
	margin?: number;
	/** The lowest thing that it shows, where that is not the end of its parts. */
	downTo?: Locator;
}

/**
 * Takes a picture: for the documents where UPDATE_SCREENSHOTS=1 asks for it, else into `.tmp`, so
 * that a test run leaves the checkout as it was.
 *
 * @param path under `docs`, or under `.tmp/docs`
 * @param parts what the picture is to show; what lies between them is in it too
 */
export async function takePicture(
	path: string,
	parts: [Locator, ...Locator[]],
	section?: Section,
): Promise<void> {
	// The documents show the newest n8n.
	if (chosenLine() !== lines[0]) return;
	const folder = process.env.UPDATE_SCREENSHOTS === '1' ? 'docs' : '.tmp/docs';
	const file = join(root, folder, path);
	await mkdir(join(file, '..'), { recursive: true });
	await writeFile(file, await pictureOf(parts, section));
}

/** Where something is on the page, in its pixels. */
export type Box = { x: number; y: number; width: number; height: number };

/** An element in the browser, as far as it is asked here. */
interface Seen {
	getBoundingClientRect(): { toJSON(): Box };
}

/** The smallest box that has all these in it; of each, something has to be seen. */
export async function boxOf(...parts: Locator[]): Promise<Box> {
	const ofEach = parts.map(async (part) => {
		// All at once, since n8n takes some away as the mouse goes.
		const boxes = await part.evaluateAll((elements: Seen[]) =>
			elements.map((element) => element.getBoundingClientRect().toJSON()),
		);
		const seen = boxes.filter(({ width, height }) => width && height);
		if (!seen.length) throw new Error(`Nothing is to be seen of ${String(part)}`);
		return seen;
	});
	const boxes = (await Promise.all(ofEach)).flat();
	const x = Math.min(...boxes.map((box) => box.x));
	const y = Math.min(...boxes.map((box) => box.y));
	const right = Math.max(...boxes.map((box) => box.x + box.width));
	const bottom = Math.max(...boxes.map((box) => box.y + box.height));
	return { x, y, width: right - x, height: bottom - y };
}

/** A PNG of the smallest section of the page that has all these parts in it. */
export async function pictureOf(
	parts: [Locator, ...Locator[]],
	{ margin = 0, downTo }: Section = {},
): Promise<Buffer> {
	const page = parts[0].page();
	// What a box tells is as seen from where the page was scrolled to.
	await page.evaluate('scrollTo(0, 0)');
	const box = await boxOf(...parts);
	const last = downTo ? await boxOf(downTo) : box;
	const [x, y] = [Math.max(0, box.x - margin), Math.max(0, box.y - margin)];
	const width = box.x + box.width + margin - x;
	const height = last.y + last.height + (downTo ? 8 : margin) - y;
	return await page.screenshot({
		clip: { x, y, width, height },
		fullPage: true,
		// Large pictures in single pixels, which keeps their files small.
		scale: width * height > 700_000 ? 'css' : 'device',
		animations: 'disabled',
		// What n8n lays over the page: passing messages, and the ways to a node's neighbours.
		style: '.el-notification, [data-test-id=floating-node] { display: none !important }',
	});
}

/**
 * Makes tests that each go on where the one before ended: after one that fails, there is no going on.
 *
 * A step that names a feature is left out on a line of n8n that lacks it, and counted as such.
 *
 * @param pageOf gives the page that shows what went wrong, kept as `.tmp/failed.png`
 */
export function steps(
	pageOf: () => Page,
): (title: string, work: () => Promise<void>, feature?: FeatureName) => void {
	let broken = false;
	return (title, work, feature) =>
		(feature && isLacking(chosenLine(), feature) ? test.skip : test)(
			feature ? needing(feature, title) : title,
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
