import { AsyncLocalStorage } from 'node:async_hooks';

/** A process, by what lets it go on. */
interface Process {
	goOn?: () => void;
}

/**
 * Lets processes that run at once send their requests in a given order, one at a time, so that the
 * same order gives the same end.
 */
export class Turns {
	private readonly running = new AsyncLocalStorage<Process>();

	private processes: Process[] = [];

	/** @param order whose turn it is, where it could be anybody's: the first's or the second's */
	constructor(private readonly order: boolean[]) {}

	/**
	 * Runs processes to their end, all of them.
	 *
	 * @throws the error of the first that failed
	 */
	async run(processes: Array<() => Promise<void>>): Promise<void> {
		this.processes = processes.map(() => ({}));
		const ends = await Promise.allSettled(
			[...this.processes].map(
				async (process, index) =>
					await this.running.run(process, async () => {
						try {
							await processes[index]!();
						} finally {
							this.processes = this.processes.filter((other) => other !== process);
							this.next();
						}
					}),
			),
		);
		for (const end of ends) if (end.status === 'rejected') throw end.reason;
	}

	/** Waits until it is the calling process's turn. */
	async take(): Promise<void> {
		const process = this.running.getStore();
		if (!process) return;
		await new Promise<void>((resolve) => {
			process.goOn = resolve;
			this.next();
		});
	}

	/** Lets one go on, once all of them wait. */
	private next(): void {
		if (this.processes.some(({ goOn }) => !goOn)) return;
		const next =
			(this.processes.length > 1 && this.order.shift() && this.processes[1]) || this.processes[0];
		const goOn = next?.goOn;
		if (next) delete next.goOn;
		goOn?.();
	}
}
