import fc from 'fast-check';

const { TEST_SEED, TEST_PATH, TEST_RUNS = '1' } = process.env;

/** What random tests draw from; `jest.config.js` chooses it. */
export const seed = Number(TEST_SEED);
fc.configureGlobal({ seed });

/** Where in the draws a failure is, as fast-check prints it; for the two tests that run long. */
export const path = TEST_PATH;

/** fast-check, with the seed. */
export { default as fc } from 'fast-check';

/** Whether there are enough runs to expect that each possibility is drawn. */
export const isMany = Number(TEST_RUNS) >= 10 && path === undefined;

/** The runs of a random test: `count` for a change, `TEST_RUNS` times as many at night. */
export const runs = (count: number): number => Math.ceil(count * Number(TEST_RUNS));
