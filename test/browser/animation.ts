import { crc32 } from 'node:zlib';
import type { Locator } from 'playwright-core';
import { boxOf, savePicture } from './browser';

/** The size of a frame, in pixels of the page; the caption is the lowest part. */
const SIZE = { width: 900, height: 600, caption: 44 };
/** How long a frame is shown (s), and the last one. */
const SECONDS = { each: 2, last: 5 };

/**
 * An animated PNG, which browsers and GitHub show like any other. Its frames are the pictures as the browser
 * takes them, so it needs no encoder: https://www.w3.org/TR/png-3/#apng-frame-based-animation
 */
export class Animation {
	private readonly frames: Buffer[] = [];

	/**
	 * Adds a frame: a section of the page, in which an element has a border.
	 *
	 * @param caption the text below
	 * @param middle is in the middle of the frame; the element by default
	 */
	async take(caption: string, element: Locator, middle = element): Promise<void> {
		const page = element.page();
		await element.first().waitFor();
		const [box, around] = [await boxOf(element), await boxOf(middle)];
		const window = page.viewportSize() ?? SIZE;
		const place = (center: number, size: number, end: number) =>
			Math.round(Math.min(Math.max(0, center - size / 2), end - size));
		const x = place(around.x + around.width / 2, SIZE.width, window.width);
		const y = place(around.y + around.height / 2, SIZE.height, window.height);
		const frame = await page.screenshot({
			clip: { x, y, ...SIZE },
			scale: 'css',
			animations: 'disabled',
			style: `.el-notification { display: none !important }
				body::before, body::after { content: ''; position: fixed; z-index: 99999; pointer-events: none }
				body::before { left: ${box.x - 5}px; top: ${box.y - 5}px; width: ${box.width + 10}px;
					height: ${box.height + 10}px; border: 3px solid #0f766e; border-radius: 8px; box-sizing: border-box }
				body::after { content: '${caption}'; left: ${x}px; top: ${y + SIZE.height - SIZE.caption}px;
					width: ${SIZE.width}px; height: ${SIZE.caption}px; background: #0f766e; color: white;
					font: 600 20px/${SIZE.caption}px sans-serif; padding-left: 20px; box-sizing: border-box }`,
		});
		this.frames.push(frame);
	}

	/** Saves it as {@link savePicture} does. */
	async save(path: string): Promise<void> {
		const first = this.frames[0] as Buffer;
		const [, header] = chunksOf(first)[0] as Chunk;
		let number = 0;
		const pictures = this.frames.flatMap((frame, place): Chunk[] => {
			const seconds = place === this.frames.length - 1 ? SECONDS.last : SECONDS.each;
			// Number, width, height, x, y, delay as a fraction of seconds, and two times "as it is".
			const control = Buffer.concat([
				uint32(number++),
				header.subarray(0, 8),
				uint32(0),
				uint32(0),
				Buffer.from([0, seconds, 0, 1, 0, 0]),
			]);
			const data = chunksOf(frame).filter(([type]) => type === 'IDAT');
			const parts = data.map(([, part]): Chunk => {
				return place === 0 ? ['IDAT', part] : ['fdAT', Buffer.concat([uint32(number++), part])];
			});
			return [['fcTL', control], ...parts];
		});
		// The number of frames, and "without end".
		const animation = Buffer.concat([uint32(this.frames.length), uint32(0)]);
		const chunks: Chunk[] = [['IHDR', header], ['acTL', animation], ...pictures];
		const body = [...chunks, ['IEND', Buffer.alloc(0)] as Chunk].map(([type, data]) => {
			const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
			return Buffer.concat([uint32(data.length), content, uint32(crc32(content))]);
		});
		await savePicture(path, Buffer.concat([first.subarray(0, 8), ...body]));
	}
}

/** The type and the data of a part of a PNG. */
type Chunk = [string, Buffer];

function chunksOf(png: Buffer): Chunk[] {
	const chunks: Chunk[] = [];
	for (let at = 8; at < png.length; ) {
		const end = at + 8 + png.readUInt32BE(at);
		chunks.push([png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, end)]);
		at = end + 4;
	}
	return chunks;
}

function uint32(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32BE(value);
	return bytes;
}
