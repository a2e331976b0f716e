import { sleep, UserError } from 'n8n-workflow';

import { Pace, type Reply } from './pace';
import { replyOf, type Outcome, type Deadline } from './retry';

/** How soon a cancelled execution is noticed. */
const LONGEST_NAP_MS = 200;

interface Waiting {
	order: number;
	isNew: boolean;
	/** Ends its waiting: whether it is its turn, rather than the end of the line. */
	end: (isTurn: boolean) => void;
}

/** Where the items of one run stand in line for their requests, which go at the pace of the service. */
export class Line {
	private readonly pace = new Pace();
	/** In the order of the items, so that what was refused goes before what is new. */
	private readonly waiting: Waiting[] = [];
	private begun = 0;
	private isNapping = false;
	private isClosed = false;

	/** @param cancelled n8n's signal, at which everybody leaves */
	constructor(private readonly cancelled?: AbortSignal) {}

	/**
	 * Waits until one more item may begin; they come in their order.
	 *
	 * @returns its place, to be left when the item is done; undefined once the line is closed
	 */
	async enter(order: number): Promise<Place | undefined> {
		const mayBegin = await this.stand(order, true);
		return mayBegin ? new Place(this, order) : undefined;
	}

	/** Lets no further item begin. */
	close(): void {
		this.isClosed = true;
		this.advance();
	}

	/** @throws UserError where the execution was cancelled meanwhile */
	async turn(order: number): Promise<void> {
		if (!(await this.stand(order, false))) throw new UserError('The execution was cancelled.');
	}

	learn(reply: Reply): void {
		this.pace.learn(reply, Date.now());
		this.advance();
	}

	isHopeless(asked: number | undefined): boolean {
		return this.pace.isHopeless(Date.now(), asked);
	}

	leave(): void {
		this.begun--;
		this.advance();
	}

	/** @returns whether it is one's turn, rather than the end of the line */
	private async stand(order: number, isNew: boolean): Promise<boolean> {
		return await new Promise((resolve) => {
			const behind = this.waiting.findIndex((other) => other.order > order);
			const at = behind < 0 ? this.waiting.length : behind;
			this.waiting.splice(at, 0, { order, isNew, end: resolve });
			this.advance();
		});
	}

	private advance(): void {
		for (let first = this.waiting[0]; first; first = this.waiting[0]) {
			if (this.cancelled?.aborted || (first.isNew && this.isClosed)) {
				this.waiting.shift();
				first.end(false);
				continue;
			}
			const now = Date.now();
			const isFull = first.isNew && this.begun >= this.pace.most;
			const wait = isFull ? Infinity : this.pace.wait(now);
			if (wait > 0) {
				void this.nap(wait);
				return;
			}
			this.waiting.shift();
			this.pace.send(now);
			if (first.isNew) this.begun++;
			first.end(true);
		}
	}

	private async nap(ms: number): Promise<void> {
		if (this.isNapping) return;
		this.isNapping = true;
		await sleep(Math.min(ms, LONGEST_NAP_MS));
		this.isNapping = false;
		this.advance();
	}
}

/** The place of one item in the line, for its requests one after the other. */
export class Place {
	private sentAt?: number;

	constructor(
		private readonly line: Line,
		private readonly order: number,
	) {}

	/**
	 * Sends a request when it is the item's turn.
	 *
	 * @param deadline is not used up by standing in line
	 */
	async send(deadline: Deadline, send: () => Promise<Outcome>): Promise<Outcome> {
		const since = Date.now();
		// An item begins with its first turn.
		if (this.sentAt !== undefined) await this.line.turn(this.order);
		this.sentAt = Date.now();
		deadline.until += this.sentAt - since;
		const outcome = await send();
		this.line.learn({ ...replyOf(outcome), sentAt: this.sentAt });
		return outcome;
	}

	/** Tells whether a request that the service refused had better be sent again: not at any price. */
	canReturn(outcome: Outcome): boolean {
		return !this.line.isHopeless(replyOf(outcome).asked);
	}

	/** To be called once the item is done. */
	leave(): void {
		// A turn that was not taken counts as one that says nothing.
		if (this.sentAt === undefined) this.line.learn({ kind: 'lost', sentAt: Date.now() });
		this.line.leave();
	}
}
