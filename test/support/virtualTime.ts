/**
 * A clock that stands still while anything runs, and then jumps to the next moment at which something
 * is to happen. Minutes pass in no time, and the same ones each time.
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

	/** Lets time pass until something is done. */
	async run<Result>(work: Promise<Result>): Promise<Result> {
		let isDone = false;
		const end = () => (isDone = true);
		work.then(end, end);
		for (;;) {
			await new Promise(setImmediate);
			if (isDone) return await work;
			const next = this.sleepers.shift();
			if (!next) throw new Error('Nothing is to happen any more, and it is not done');
			this.now = Math.max(this.now, next.at);
			next.wake();
		}
	}
}
