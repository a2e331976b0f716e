let skippedMs = 0;
const realNow = Date.now.bind(Date);

/** Moves the clock of `Date.now` forward without a wait. */
export function skipTime(ms: number): void {
	Date.now = () => realNow() + skippedMs;
	skippedMs += ms;
}

/** @returns the total of skipped time (ms), which does not depend on the machine's speed */
export const skippedTime = () => skippedMs;

/** Moves the clock of `Date.now` forward to a time, unless that time has passed. */
export const skipTo = (time: number) => skipTime(Math.max(0, time - Date.now()));

/** The waits of a test (ms), and whether they take their time; used by `jumpedWaits`. */
export const waits: { ms: number[]; areReal: boolean } = { ms: [], areReal: false };
