import { sleep, UserError } from 'n8n-workflow';

/**
 * How an attempt ended: `refused` for too many requests, `late` for no answer in time, `failed` for an
 * error that has nothing to do with the rate, `answered` for all other answers.
 */
export type AttemptEnd = 'answered' | 'refused' | 'late' | 'failed';

const FIRST_WIDTH = 5;
const MAX_WIDTH = 256;
/** The pause after a refusal without `Retry-After`; it grows until a later request is answered. */
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 8_000;
const PAUSE_GROWTH = 1.5;
/** Gives up after 75 s: the longest `Retry-After`, and the longest time of refusals alone. */
const MAX_REFUSING_MS = 75_000;
/** How soon a cancelled execution is detected. */
const MAX_SLEEP_MS = 200;

/**
 * The queue for the requests of one run. Each answer allows one more request under way. A refusal or a
 * time-out halves their number, once for all requests that were sent before, and pauses the queue.
 */
export class RateLimiter {
	/** How many requests, or items with requests to come, may be under way. */
	width = FIRST_WIDTH;
	private underWay = 0;
	/** In the order of the items: a request that is sent again goes before those of later items. */
	private readonly queue: Array<{ item: number; send: () => void }> = [];
	private isSleeping = false;
	private slowedAt = -Infinity;
	private pausedUntil = 0;
	private pauseMs = FIRST_PAUSE_MS;
	/** When the first request was refused; undefined after the answer to a later request. */
	private refusedAt?: number;

	/** @param cancelled n8n's signal that ends all waiting */
	constructor(private readonly cancelled?: AbortSignal) {}

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
	report(end: AttemptEnd, sentAt: number, retryAfter = 0): boolean {
		this.underWay--;
		const maySendAgain = end !== 'refused' || this.mayResend(retryAfter);
		const isLater = sentAt > this.slowedAt;
		if (end === 'answered' && isLater) {
			this.width = Math.min(this.width + 1, MAX_WIDTH);
			this.pauseMs = FIRST_PAUSE_MS;
			this.refusedAt = undefined;
		} else if ((end === 'refused' && maySendAgain) || end === 'late') {
			const pause = retryAfter || (isLater ? this.pauseMs : 0);
			this.pausedUntil = Math.max(this.pausedUntil, Date.now() + pause);
			if (isLater) this.slowDown();
		}
		this.advance();
		return maySendAgain;
	}

	private mayResend(retryAfter: number): boolean {
		this.refusedAt ??= Date.now();
		return Math.max(retryAfter, Date.now() - this.refusedAt) <= MAX_REFUSING_MS;
	}

	private slowDown(): void {
		this.slowedAt = Date.now();
		this.width = Math.ceil(this.width / 2);
		this.pauseMs = Math.min(this.pauseMs * PAUSE_GROWTH, MAX_PAUSE_MS);
	}

	private advance(): void {
		const isCancelled = this.cancelled?.aborted;
		while (this.queue.length > 0 && (isCancelled || this.underWay < this.width)) {
			const wait = isCancelled ? 0 : this.pausedUntil - Date.now();
			if (wait > 0) return void this.advanceIn(wait);
			this.underWay++;
			this.queue.shift()?.send();
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
