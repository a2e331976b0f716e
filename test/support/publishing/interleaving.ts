import { AsyncLocalStorage } from 'node:async_hooks';

/** A process; `resume` is set while it waits for its turn. */
interface Process {
	resume?: () => void;
}

/** Lets two concurrent processes send their requests one at a time, in a reproducible order. */
export class Interleaving {
	/** For each request while both processes wait: whether the second one's is first. */
	readonly choices: boolean[] = [];
	private readonly current = new AsyncLocalStorage<Process>();
	private processes: Process[] = [];

	/** @param order the first choices; after them, the first process is first */
	constructor(private readonly order: boolean[]) {}

	/**
	 * Runs both processes to their end.
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

	/** @returns the order of the next interleaving, if each is run in turn; undefined after the last one */
	nextOrder(): boolean[] | undefined {
		const last = this.choices.lastIndexOf(false);
		return last < 0 ? undefined : [...this.choices.slice(0, last), true];
	}

	/** Resumes one process as soon as all of them wait. */
	private resumeNext(): void {
		if (this.processes.some(({ resume }) => !resume)) return;
		const [first, second] = this.processes;
		if (second) this.choices.push(this.order[this.choices.length] ?? false);
		const next = second && this.choices.at(-1) ? second : first;
		const resume = next?.resume;
		if (next) delete next.resume;
		resume?.();
	}
}
