/**
 * How an attempt ended: `refused` for too many requests, `late` for no answer in time, `failed` for an
 * error that has nothing to do with the rate, `answered` for all other answers.
 */
export type AttemptEnd = 'answered' | 'refused' | 'late' | 'failed';

const FIRST_WIDTH = 5;
const MAX_WIDTH = 256;
/** The width stays if an answer takes more than so many times the shortest time. */
const MAX_SLOWDOWN = 3;
/** The pause after a refusal without `Retry-After`; it grows with each refusal after a pause. */
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 8_000;
const PAUSE_GROWTH = 1.5;
/** Longest `Retry-After`, and longest time of refusals alone: a minute's limit, and a quarter more. */
const MAX_REFUSING_MS = 75_000;

/**
 * Decides how many requests may be under way, and how soon the next may be sent. It has no clock: the
 * caller passes the time (ms).
 *
 * - Each answer widens it by one request, until answers get slow; a refusal or a time-out halves it.
 * - After a refusal, nothing is sent for the time in `Retry-After`, else for a guessed time. Then one
 *   request is sent, and the others wait for its answer.
 * - From then on a quota holds: as many requests in a time as the service answered before. Example: 10
 *   answers, a refusal, and the next answer to a request after 1,300 ms → 10 requests in 1,040 ms.
 * - When the quota is refused too, its requests are spread more evenly and their gap grows. Without a
 *   refusal the gap shrinks, slowly at first.
 */
export class SendRate {
	/** How many requests, or items with requests to come, may be under way. */
	width = FIRST_WIDTH;
	private underWay = 0;
	private shortestMs = Infinity;
	private slowedAt = -Infinity;

	/** When each request was sent that was not refused, and the index of the first since the last pause. */
	private readonly sent: number[] = [];
	private first = 0;
	/** The quota: `count` requests in `count` gaps. */
	private count = 0;
	private gapMs = 0;
	private measuredAt = 0;
	private halvingMs = 1;

	/** When the first request was refused; undefined after the answer to a later request. */
	private refusedAt?: number;
	private pausedUntil = 0;
	private pauseMs = FIRST_PAUSE_MS;

	/** @returns how long the next request has to wait (ms); Infinity until an attempt ends */
	wait(now: number): number {
		if (this.underWay >= (this.refusedAt === undefined ? Math.floor(this.width) : 1))
			return Infinity;
		const last = this.sent[this.sent.length - this.count] ?? -Infinity;
		return Math.max(this.pausedUntil - now, last + this.count * this.gapAt(last) - now, 0);
	}

	send(now: number): void {
		this.underWay++;
		this.sent.push(now);
	}

	/** @returns false if a refused request must not be sent again */
	report(end: AttemptEnd, sentAt: number, now: number, retryAfter = 0): boolean {
		this.underWay--;
		const { refusedAt } = this;
		const isAfterPause = refusedAt !== undefined && sentAt > refusedAt;
		if (end === 'answered') {
			if (isAfterPause) this.measure(refusedAt, now);
			this.shortestMs = Math.min(this.shortestMs, now - sentAt);
			const isSlow = now - sentAt > this.shortestMs * MAX_SLOWDOWN;
			const step = this.count > 0 ? 1 / this.width : 1;
			if (this.refusedAt === undefined && !isSlow)
				this.width = Math.min(this.width + step, MAX_WIDTH);
		} else if (end !== 'failed' && refusedAt === undefined && sentAt > this.slowedAt) {
			// Only once for all requests that were sent before.
			this.slowedAt = now;
			this.width = Math.max(this.width / 2, 1);
		}
		if (end !== 'refused') return true;
		this.sent.pop();
		this.refusedAt ??= now;
		if (Math.max(retryAfter, now - this.refusedAt) > MAX_REFUSING_MS) return false;
		this.pausedUntil = Math.max(this.pausedUntil, now + retryAfter);
		if (isAfterPause || (refusedAt === undefined && retryAfter === 0)) {
			const jittered = this.pauseMs * (0.75 + Math.random() / 2);
			this.pausedUntil = Math.max(this.pausedUntil, now + jittered, now + this.gapAt(now));
			this.pauseMs = Math.min(this.pauseMs * PAUSE_GROWTH, MAX_PAUSE_MS);
		}
		return true;
	}

	/** The gap between requests: halved after `halvingMs`, then ever shorter. */
	private gapAt(time: number): number {
		return this.gapMs / (1 + Math.max((time - this.measuredAt) / this.halvingMs, 0) ** 3);
	}

	/** Finds the quota when the first request after a pause is answered: the last that was sent. */
	private measure(refusedAt: number, now: number): void {
		const last = this.sent.length - 1;
		const answers = last - this.first;
		if (answers > 0) {
			const time = (this.sent[last] ?? 0) - (this.sent[this.first] ?? 0);
			// Most windows are whole seconds, and a pause ends after its window.
			const windowMs = 1.04 * (time < 1000 ? time : time - (time % 1000));
			const isKept = this.count > 0 && answers >= this.count;
			const gap = this.gapAt(refusedAt);
			const longest = this.count > 0 ? gap * (isKept ? 1.1 : 1.5) : Infinity;
			this.gapMs = Math.max(gap * 1.1, Math.min(windowMs / answers, longest));
			this.count = this.count > 0 ? Math.ceil(this.count / 2) : answers;
			const halvingMs = Math.min(Math.max(1.5 * this.count, 4), 15) * windowMs;
			this.halvingMs = isKept ? this.halvingMs * 3 : halvingMs;
			this.measuredAt = now;
		}
		this.first = last;
		this.refusedAt = undefined;
		this.pauseMs = FIRST_PAUSE_MS;
	}
}
