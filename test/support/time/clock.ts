let skippedMs = 0;
const realNow = Date.now.bind(Date);

/** Moves the clock of `Date.now` forward without a wait. */
export function skipTime(ms: number): void {
	Date.now = () => realNow() + skippedMs;
	skippedMs += ms;
}

/** @returns the total of skipped time (ms), which does not depend on the machine's speed */
export const skippedTime = () => skippedMs;
