import { clearLine, cursorTo } from 'node:readline';

const out = process.stdout;
const frames = out.isTTY ? '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏' : '…';

/**
 * Shows one step of a longer job while `work` does it: on a terminal a line that counts the
 * seconds, elsewhere a line every 15 s, and in the end a tick or a cross.
 *
 * @param work gets a function that shows its progress
 * @returns the result of `work`
 */
export async function step<T>(
	title: string,
	work: (report: (text: string) => void) => Promise<T>,
): Promise<T> {
	const started = Date.now();
	let detail = '';
	let ticks = 0;
	const line = (mark: string, digits = 0) =>
		`${mark} ${title} (${((Date.now() - started) / 1000).toFixed(digits)} s)`;
	const rewrite = (text: string) => {
		if (out.isTTY) {
			cursorTo(out, 0);
			clearLine(out, 0);
		}
		out.write(text);
	};
	const timer = setInterval(
		() => {
			const text = `${line(frames.charAt(ticks++ % frames.length))} ${detail}`;
			rewrite(out.isTTY ? text.slice(0, out.columns - 1) : `${text}\n`);
		},
		out.isTTY ? 100 : 15_000,
	);
	try {
		const result = await work((text) => (detail = text));
		rewrite(`${line('✔', 1)}\n`);
		return result;
	} catch (error) {
		rewrite(`${line('✖', 1)}\n`);
		throw error;
	} finally {
		clearInterval(timer);
	}
}
