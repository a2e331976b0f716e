/**
 * A clock that stands still while code runs, then jumps to the end of the next sleep. Sleeps take no
 * time, and end in a reproducible order.
 */
class VirtualTime {
	now = 0;
	private readonly sleepers: Array<{ at: number; wake: () => void }> = [];

	async sleep(ms: number): Promise<void> {
		await new Promise<void>((wake) => {
			const at = this.now + Math.max(ms, 1);
			const later = this.sleepers.findIndex((sleeper) => sleeper.at > at);
			this.sleepers.splice(later < 0 ? this.sleepers.length : later, 0, { at, wake });
		});
	}

	/** Lets time pass until the work is done. */
	async run<Result>(work: Promise<Result>): Promise<Result> {
		let isDone = false;
		const end = () => (isDone = true);
		work.then(end, end);
		for (;;) {
			await new Promise(setImmediate);
			if (isDone) return await work;
			const next = this.sleepers.shift();
			if (!next) throw new Error('The work is not done, and no sleep is left');
			this.now = Math.max(this.now, next.at);
			next.wake();
		}
	}
}

/** The time of a test. */
export let time: VirtualTime;

/** Gives each test a time of its own, and the same pseudo-random numbers in each run. */
export function useVirtualTime(): void {
	beforeEach(() => {
		time = new VirtualTime();
		time.now = Date.UTC(2030, 0, 1) + 370;
		jest.spyOn(Date, 'now').mockImplementation(() => Math.floor(time.now));
		let seed = 1;
		jest.spyOn(Math, 'random').mockImplementation(() => {
			seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
			return seed / 2 ** 32;
		});
	});
	afterEach(() => jest.restoreAllMocks());
}
