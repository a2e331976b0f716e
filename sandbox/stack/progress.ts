import { clearLine, cursorTo } from 'node:readline';

const out = process.stdout;

/**
 * Shows one step of a longer job while `work` does it: on a terminal a line that counts the
 * seconds, elsewhere a line every 15 s, and in the end a tick or a cross.
 *
 * @param work gets a function that shows its progress
 */
export async function step<T>(
	title: string,
	work: (report: (text: string) => void) => Promise<T>,
): Promise<T> {
	const started = Date.now();
	let detail = '';
	const show = (mark: string, end: string) => {
		if (out.isTTY) {
			cursorTo(out, 0);
			clearLine(out, 0);
		}
		out.write(`${mark} ${title} (${((Date.now() - started) / 1000).toFixed(1)} s)${end}`);
	};
	const timer = setInterval(
		() => show('…', out.isTTY ? ` ${detail}` : ` ${detail}\n`),
		out.isTTY ? 100 : 15_000,
	);
	try {
		const result = await work((text) => (detail = text));
		show('✔', '\n');
		return result;
	} catch (error) {
		show('✖', '\n');
		throw error;
	} finally {
		clearInterval(timer);
	}
}
