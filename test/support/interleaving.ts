import { AsyncLocalStorage } from 'node:async_hooks';

/** A process; `resume` is set while it waits for its turn. */
interface Process {
	resume?: () => void;
}

/** Lets concurrent processes send their requests one at a time, in a reproducible order. */
export class Interleaving {
	private readonly current = new AsyncLocalStorage<Process>();
	private processes: Process[] = [];

	/** @param order for each request, whether the second of two waiting processes sends its request first */
	constructor(private readonly order: boolean[]) {}

	/**
	 * Runs all processes to their end.
	 *
	 * @throws the error of the first process that failed
	 */
	async run(processes: Array<() => Promise<void>>): Promise<void> {
		this.processes = processes.map(() => ({}));
		const results = await Promise.allSettled(
			[...this.processes].map(
				async (process, index) =>
					await this.current.run(process, async () => {
						try {
							await processes[index]!();
						} finally {
							this.processes = this.processes.filter((other) => other !== process);
							this.resumeNext();
						}
					}),
			),
		);
		for (const result of results) if (result.status === 'rejected') throw result.reason;
	}

	/** Waits for the turn of the calling process; returns at once outside of {@link run}. */
	async waitForTurn(): Promise<void> {
		const process = this.current.getStore();
		if (!process) return;
		await new Promise<void>((resolve) => {
			process.resume = resolve;
			this.resumeNext();
		});
	}

	/** Resumes one process as soon as all of them wait. */
	private resumeNext(): void {
		if (this.processes.some(({ resume }) => !resume)) return;
		const next =
			(this.processes.length > 1 && this.order.shift() && this.processes[1]) || this.processes[0];
		const resume = next?.resume;
		if (next) delete next.resume;
		resume?.();
	}
}
