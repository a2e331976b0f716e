import { sleep, UserError } from 'n8n-workflow';

import { SendRate, type AttemptEnd } from './sendRate';

/** How soon a cancelled execution is detected. */
const MAX_SLEEP_MS = 200;

interface QueuedRequest {
	item: number;
	send: () => void;
}

/** The queue for the requests of one run, which are sent at the rate that the service accepts. */
export class RateLimiter {
	private readonly rate = new SendRate();
	/** In the order of the items: a request that is sent again goes before those of later items. */
	private readonly queue: QueuedRequest[] = [];
	private isSleeping = false;

	/** @param cancelled n8n's signal that ends all waiting */
	constructor(private readonly cancelled?: AbortSignal) {}

	/** How many items may be under way. */
	get width(): number {
		return Math.floor(this.rate.width);
	}

	/**
	 * Waits until a request of an item may be sent. The end of the attempt has to be reported.
	 *
	 * @throws UserError if the execution was cancelled meanwhile
	 */
	async waitForSlot(item: number): Promise<void> {
		await new Promise<void>((send) => {
			const next = this.queue.findIndex((other) => other.item > item);
			this.queue.splice(next < 0 ? this.queue.length : next, 0, { item, send });
			this.advance();
		});
		if (this.cancelled?.aborted) throw new UserError('The execution was cancelled.');
	}

	/**
	 * Frees the slot of an attempt and adapts the rate to its end.
	 *
	 * @param retryAfter how long the service asks to wait (ms)
	 * @returns false if a refused request must not be sent again
	 */
	report(end: AttemptEnd, sentAt: number, retryAfter?: number): boolean {
		const maySendAgain = this.rate.report(end, sentAt, Date.now(), retryAfter);
		this.advance();
		return maySendAgain;
	}

	private advance(): void {
		for (let first = this.queue[0]; first; first = this.queue[0]) {
			const wait = this.cancelled?.aborted ? 0 : this.rate.wait(Date.now());
			if (wait > 0) return void this.advanceIn(wait);
			this.queue.shift();
			this.rate.send(Date.now());
			first.send();
		}
	}

	private async advanceIn(ms: number): Promise<void> {
		if (this.isSleeping) return;
		this.isSleeping = true;
		await sleep(Math.min(ms, MAX_SLEEP_MS));
		this.isSleeping = false;
		this.advance();
	}
}
