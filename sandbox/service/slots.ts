/**
 * Limits the number of simultaneous jobs.
 *
 * @returns a function that runs a job as soon as one of the slots is free, first come, first served
 */
export function makeSlots(count: number): <Result>(job: () => Promise<Result>) => Promise<Result> {
	const waiting: Array<() => void> = [];
	let free = count;
	return async (job) => {
		if (free > 0) free--;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		try {
			return await job();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else free++;
		}
	};
}
