/** How a request ended, as far as the pace hangs on it. */
export interface Reply {
	/**
	 * `taken`: answered, whatever the answer says; `refused`: too much for the service at this moment;
	 * `late`: no answer in time; `lost`: a failure that says nothing of the pace.
	 */
	kind: 'taken' | 'refused' | 'late' | 'lost';
	/** When it was sent (ms). */
	sentAt: number;
	/** How long the service asks to stay away, where it refuses and says so (ms). */
	asked?: number;
}

/** What was sent from the end of one pause to the end of the next. */
interface Round {
	start: number;
	taken: number;
	/** When the first and the last were sent that the service refused. */
	refusedAt?: number;
	lastRefusedAt?: number;
	/** When the service takes more, as it said itself. */
	reopensAt?: number;
}

/** How many requests may be sent in which time (ms), as found at a moment, and how soon that is halved. */
interface Quota {
	count: number;
	ms: number;
	foundAt: number;
	halvesIn: number;
}

/** What any service takes at once, and few enough for a first failure not to strand many. */
const FIRST_WIDTH = 5;
/** A process has only so many connections. */
const MOST_WIDTH = 256;
/** More requests under way gain nothing once an answer takes this many times as long as at the best. */
const MOST_DELAY = 3;

/** The first guess at a pause where the service asks for none, and how each next one grows. */
const FIRST_GUESS_MS = 200;
const GUESS_GROWTH = 1.5;
const LONGEST_GUESS_MS = 8_000;

/** How far to stay below the pace that was found, and how much slower when that was refused too. */
const MARGIN = 1.05;
const SLOWER = 1.1;

/**
 * The time of a quota is halved after so many of it for each request, since little is known from few:
 * no sooner than after `LEAST_PATIENCE` of it and `SOONEST_MS`, no later than after `MOST_PATIENCE`.
 */
const PATIENCE = 1.5;
const LEAST_PATIENCE = 4;
const MOST_PATIENCE = 15;
const SOONEST_MS = 1_000;

/** How late a send may be without making the next ones late: timers are no better. */
const SLACK_MS = 20;

/**
 * The longest pause that a service may ask for, and the longest time in which it may take nothing at
 * all: limits a minute long are met, with a quarter more for rounding and for other clients' share.
 */
const LONGEST_PAUSE_MS = 75_000;

/**
 * Finds the pace that a service takes, from how the requests of one run end. It has no clock, and
 * sends and waits for nothing itself: moments are ms since any beginning, as the caller counts.
 *
 * It begins with a few requests at once and adds one with each answer, so that their number doubles
 * with each round trip while that is not slower for any of them. When the service refuses one,
 * - none is sent for as long as it asks, else for a guess; then one goes ahead of the others;
 * - the number under way is halved;
 * - from then on a quota holds: as many go in a time as the service took, however close together, since
 *   most services count in windows. When that is refused too, half as many go in half the time and a
 *   little more: in the end one by one, as a service takes them that lets requests drip.
 *
 * The time shrinks again while nothing is refused, hardly at first and then ever faster; after each
 * refusal of the same quota it takes twice as long.
 */
export class Pace {
	private width = FIRST_WIDTH;
	private underWay = 0;
	private shortestDelay = Infinity;

	private quota?: Quota;
	/** When those were sent that the service has not refused, in their order. */
	private readonly sent: number[] = [];

	private round?: Round;
	/** The one before, until it is known that the pause between them was long enough. */
	private roundBefore?: Round;
	private pausedUntil = 0;
	/** How many pauses in a row were too short. */
	private vain = 0;
	/** Since when everything is refused. */
	private refusingSince?: number;
	/** After a pause one request goes ahead, and the others wait for what becomes of it. */
	private scout: 'none' | 'next' | 'sent' = 'none';

	/** How many requests, or items with requests to come, may be under way at once. */
	get most(): number {
		return Math.floor(this.width);
	}

	/** @returns how long the next request has to wait (ms): 0 if not at all, Infinity for an answer */
	wait(now: number): number {
		if (this.underWay >= this.most || this.scout === 'sent') return Infinity;
		return Math.max(this.pausedUntil - now, this.dueAt() - now, 0);
	}

	/** Counts a request that is sent. */
	send(now: number): void {
		if (!this.round || this.round.refusedAt !== undefined) {
			this.roundBefore = this.round;
			this.round = { start: now, taken: 0 };
		}
		if (this.scout === 'next') this.scout = 'sent';
		const due = this.dueAt();
		this.sent.push(now - due > SLACK_MS ? now : due);
		this.underWay++;
	}

	/** Learns from how a request ended. */
	learn({ kind, sentAt, asked }: Reply, now: number): void {
		this.underWay--;
		// What was sent before a pause has nothing to say about the time after it.
		const isOfRound = this.round !== undefined && sentAt >= this.round.start;
		if (isOfRound && this.scout === 'sent') this.scout = kind === 'taken' ? 'none' : 'next';
		if (kind === 'taken') this.speedUp(sentAt, now, isOfRound);
		if (kind === 'late' && isOfRound) this.slowDown(now);
		if (kind === 'refused') this.pause(sentAt, now, isOfRound, asked);
	}

	/**
	 * Tells whether a refused request had better fail.
	 *
	 * @param asked how long the service asks to stay away (ms)
	 */
	isHopeless(now: number, asked = 0): boolean {
		return asked > LONGEST_PAUSE_MS || now - (this.refusingSince ?? now) > LONGEST_PAUSE_MS;
	}

	/** When the quota has room for one more. */
	private dueAt(): number {
		const first = this.quota && this.sent[this.sent.length - this.quota.count];
		return first === undefined ? -Infinity : first + this.periodAt(first);
	}

	/** The time of the quota (ms). */
	private periodAt(now: number): number {
		if (!this.quota) return 0;
		const { ms, foundAt, halvesIn } = this.quota;
		return ms / (1 + Math.max((now - foundAt) / halvesIn, 0) ** 3);
	}

	/** @param takenAt when the first was sent that the service took after the pause */
	private findQuota(round: Round, takenAt: number, now: number): void {
		const { taken, refusedAt = round.start } = round;
		const before = this.quota;
		const isAsBefore = before !== undefined && taken >= before.count;
		const found = isAsBefore
			? { count: before.count, ms: this.periodAt(refusedAt) * SLOWER }
			: { count: taken, ms: windowOf(round, takenAt) * MARGIN };
		// The same pace in smaller steps, once a quota was refused.
		const count = before ? Math.ceil(found.count / 2) : found.count;
		const ms = (found.ms * count) / found.count;
		const deadline = Math.min(Math.max(PATIENCE * count, LEAST_PATIENCE), MOST_PATIENCE);
		const halvesIn = isAsBefore ? before.halvesIn * 2 : Math.max(deadline * ms, SOONEST_MS);
		this.quota = { count, ms, foundAt: now, halvesIn };
	}

	private speedUp(sentAt: number, now: number, isOfRound: boolean): void {
		const round = isOfRound ? this.round : this.roundBefore;
		if (round) round.taken++;
		if (isOfRound) {
			if (this.roundBefore?.taken) this.findQuota(this.roundBefore, sentAt, now);
			this.roundBefore = undefined;
			this.vain = 0;
			this.refusingSince = undefined;
		}
		const delay = now - sentAt;
		this.shortestDelay = Math.min(this.shortestDelay, delay);
		if (delay > this.shortestDelay * MOST_DELAY) return;
		this.width = Math.min(this.width + (this.quota ? 1 / this.width : 1), MOST_WIDTH);
	}

	private slowDown(now: number): void {
		this.width = Math.max(this.width / 2, 1);
		if (this.quota) this.quota = { ...this.quota, ms: this.periodAt(now) * 2, foundAt: now };
		// Once for all that were sent until now.
		this.round = undefined;
	}

	private pause(sentAt: number, now: number, isOfRound: boolean, asked = 0): void {
		// Those that are refused are among the last, and which of them makes no difference.
		this.sent.pop();
		this.refusingSince ??= now;
		if (this.isHopeless(now, asked)) return;
		this.pausedUntil = Math.max(this.pausedUntil, now + asked);
		if (!this.round || !isOfRound || this.round.refusedAt !== undefined) return;

		// Else the pause before it was too short, and goes on.
		if (this.round.taken === 0 && this.roundBefore) this.round = this.roundBefore;
		else this.round.refusedAt = sentAt;
		this.round.lastRefusedAt = sentAt;
		this.round.reopensAt = asked > 0 ? now + asked : undefined;
		this.width = Math.max(this.width / 2, 1);
		if (asked === 0 || this.vain > 0) {
			const guess = Math.min(FIRST_GUESS_MS * GUESS_GROWTH ** this.vain, LONGEST_GUESS_MS);
			const jittered = guess * (0.75 + Math.random() / 2);
			const gap = this.quota ? this.periodAt(now) / this.quota.count : 0;
			this.pausedUntil = Math.max(this.pausedUntil, now + Math.max(jittered, gap));
		}
		this.scout = 'next';
		this.vain++;
	}
}

/**
 * Reads the window of a service's limit from a round: it ends after the last refusal, and at the latest
 * when the service takes more again. `Retry-After` is rounded up to seconds, and most windows are whole
 * seconds.
 *
 * @returns ms
 */
function windowOf({ start, lastRefusedAt = start, reopensAt }: Round, takenAt: number): number {
	const most = (reopensAt ?? takenAt) - start;
	const least = reopensAt === undefined ? lastRefusedAt - start : Math.max(most - 1000, 0);
	const whole = Math.floor(most / 1000) * 1000;
	return whole > least ? whole : (least + most) / 2;
}
