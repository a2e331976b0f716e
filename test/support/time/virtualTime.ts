/** Lets the waits of each test pass at once, and gives it the same pseudo-random numbers in each run. */
export function useVirtualTime(): void {
	beforeEach(() => {
		const now = Date.UTC(2030, 0, 1) + 370;
		jest.useFakeTimers({ now, doNotFake: ['nextTick', 'setImmediate'] });
		let seed = 1;
		jest.spyOn(Math, 'random').mockImplementation(() => {
			seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
			return seed / 2 ** 32;
		});
	});
	afterEach(() => {
		jest.useRealTimers();
		jest.restoreAllMocks();
	});
}

/** Lets time pass until the work is done. */
export async function untilDone<Result>(work: Promise<Result>): Promise<Result> {
	let isDone = false;
	const end = () => (isDone = true);
	work.then(end, end);
	for (;;) {
		await new Promise(setImmediate);
		if (isDone) return await work;
		if (jest.getTimerCount() === 0) throw new Error('The work is not done, and no wait is left');
		await jest.advanceTimersToNextTimerAsync();
	}
}
