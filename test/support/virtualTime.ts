/**
 * A clock that stands still while code runs, then jumps to the end of the next sleep. Sleeps take no
 * time, and end in a reproducible order.
 *
 * ```ts
 * jest.mock('n8n-workflow', () => ({
 * 	...jest.requireActual<object>('n8n-workflow'),
 * 	sleep: async (ms: number) => await mockTime.sleep(ms),
 * }));
 * jest.spyOn(Date, 'now').mockImplementation(() => mockTime.now);
 * ```
 */
export class VirtualTime {
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
