import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 250;

/**
 * Calls a function until its result is neither undefined nor false: soon at first, later four times a second.
 *
 * @param what names the awaited event in the error
 * @param seconds the longest wait
 * @returns the answer
 * @throws an Error after the longest wait, or the reason of `signal`
 */
export async function until<T>(
	what: string,
	seconds: number,
	ask: () => Promise<T | undefined | false> | T | undefined | false,
	signal?: AbortSignal,
): Promise<T> {
	const deadline = Date.now() + seconds * 1000;
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
		signal?.throwIfAborted();
		const answer = await ask();
		if (answer !== undefined && answer !== false) return answer;
		if (Date.now() > deadline) throw new Error(`Waited ${seconds} s without success for ${what}`);
		await sleep(pause);
	}
}

/** @returns whether a promise is fulfilled, once it is settled */
export const isFulfilled = (promise: Promise<unknown>) =>
	promise.then(
		() => true,
		() => false,
	);
