import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks again and again, ten times a second, until the answer is neither undefined nor false.
 *
 * @param what what is waited for, for the error
 * @param seconds after how many seconds to give up
 * @returns the answer
 * @throws an Error that says what was waited for in vain, or the reason of `signal`
 */
export async function until<T>(
	what: string,
	seconds: number,
	ask: () => Promise<T | undefined | false> | T | undefined | false,
	signal?: AbortSignal,
): Promise<T> {
	const deadline = Date.now() + seconds * 1000;
	for (;;) {
		signal?.throwIfAborted();
		const answer = await ask();
		if (answer !== undefined && answer !== false) return answer;
		if (Date.now() > deadline) throw new Error(`Waited ${seconds} s in vain for ${what}`);
		await sleep(100);
	}
}
