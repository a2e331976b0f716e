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
	/** When the first was sent that the service refused. */
	refusedAt?: number;
	/** When that was known, and until when the service, as it said or showed, takes nothing more. */
	pausedAt: number;
	refusedUntil: number;
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

/** How far to stay below the pace that was found, and how much slower at least with each refusal. */
const MARGIN = 1.05;
const SLOWER = 1.1;

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
 * - none is sent for as long as it asks; else for a guess, after which one goes ahead of the others;
 * - the number under way is halved;
 * - from then on requests keep a gap: as many go in a time as the service took in the last one. The gap
 *   shrinks again while nothing is refused, soon where it was found from few requests, and later where
 *   from many.
 */
export class Pace {
	private width = FIRST_WIDTH;
	private underWay = 0;
	private shortestDelay = Infinity;

	/** The gap as it was found (ms; 0 while none was needed), when that was, and how soon it halves. */
	private gap = 0;
	private gapFoundAt = 0;
	private gapHalvesIn = 1;
	private nextAt = 0;

	private round?: Round;
	private roundBefore?: Round;
	private pausedUntil = 0;
	/** How many pauses in a row were too short. */
	private vain = 0;
	/** Since when everything is refused. */
	private refusingSince?: number;
	/** After a guessed pause, one request goes ahead, and the others wait for what becomes of it. */
	private scout: 'none' | 'next' | 'sent' = 'none';

	/** How many requests, or items with requests to come, may be under way at once. */
	get most(): number {
		return Math.floor(this.width);
	}

	/** @returns how long the next request has to wait (ms): 0 if not at all, Infinity for an answer */
	wait(now: number): number {
		if (this.underWay >= this.most || this.scout === 'sent') return Infinity;
		return Math.max(this.pausedUntil - now, this.nextAt - now, 0);
	}

	/** Counts a request that is sent. */
	send(now: number): void {
		if (!this.round || this.round.refusedAt !== undefined) this.beginRound(now);
		if (this.scout === 'next') this.scout = 'sent';
		this.nextAt = Math.max(this.nextAt, now - SLACK_MS) + this.gapAt(now);
		this.underWay++;
	}

	/** Learns from how a request ended. */
	learn({ kind, sentAt, asked }: Reply, now: number): void {
		this.underWay--;
		// What was sent before a pause has nothing to say about the time after it.
		const isOfRound = this.round !== undefined && sentAt >= this.round.start;
		if (isOfRound && this.scout === 'sent') this.scout = kind === 'taken' ? 'none' : 'next';
		if (kind === 'taken') this.speedUp(now - sentAt, isOfRound);
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

	private beginRound(now: number): void {
		const last = this.round;
		if (last && last.taken > 0) this.findGap(last, now);
		this.roundBefore = last;
		this.round = { start: now, taken: 0, pausedAt: now, refusedUntil: now };
	}

	private findGap(
		{ start, taken, refusedAt = start, pausedAt, refusedUntil }: Round,
		now: number,
	): void {
		const found = (Math.max(refusedAt - start, refusedUntil - pausedAt) / taken) * MARGIN;
		const before = this.gapAt(now);
		this.gap = before ? Math.min(Math.max(found, before * SLOWER), before * 2) : found;
		this.gapFoundAt = now;
		const [soonest, latest] = [Math.max(2_000, 5 * this.gap), Math.max(30_000, 20 * this.gap)];
		this.gapHalvesIn = Math.min(Math.max(2 * taken ** 2 * this.gap, soonest), latest);
	}

	private gapAt(now: number): number {
		return this.gap / (1 + ((now - this.gapFoundAt) / this.gapHalvesIn) ** 2);
	}

	private speedUp(delay: number, isOfRound: boolean): void {
		this.shortestDelay = Math.min(this.shortestDelay, delay);
		if (this.round) this.round.taken++;
		if (isOfRound) {
			this.vain = 0;
			this.refusingSince = undefined;
		}
		if (delay > this.shortestDelay * MOST_DELAY) return;
		this.width = Math.min(this.width + (this.gap ? 1 / this.width : 1), MOST_WIDTH);
	}

	private slowDown(now: number): void {
		this.width = Math.max(this.width / 2, 1);
		this.gap = this.gapAt(now) * 2;
		this.gapFoundAt = now;
		// Once for all that were sent until now.
		this.round = undefined;
	}

	private pause(sentAt: number, now: number, isOfRound: boolean, asked = 0): void {
		this.refusingSince ??= now;
		if (this.isHopeless(now, asked)) return;
		this.pausedUntil = Math.max(this.pausedUntil, now + asked);
		if (!this.round || !isOfRound || this.round.refusedAt !== undefined) return;

		if (this.round.taken === 0 && this.roundBefore) {
			// The pause before it was too short: it goes on.
			this.round = this.roundBefore;
		} else {
			this.round.refusedAt = sentAt;
			this.round.pausedAt = now;
		}
		this.round.refusedUntil = asked > 0 ? now + asked : sentAt;
		this.width = Math.max(this.width / 2, 1);
		const isGuess = asked === 0 || this.vain > 0;
		if (isGuess) {
			const guess = Math.min(FIRST_GUESS_MS * GUESS_GROWTH ** this.vain, LONGEST_GUESS_MS);
			const jittered = guess * (0.75 + Math.random() / 2);
			this.pausedUntil = Math.max(this.pausedUntil, now + Math.max(jittered, this.gap));
		}
		this.scout = isGuess ? 'next' : 'none';
		this.vain++;
	}
}
