import fc from 'fast-check';

const { TEST_SEED, TEST_PATH, TEST_RUNS = '1' } = process.env;

/** The seed of random tests; `jest.config.js` chooses it. */
export const seed = Number(TEST_SEED);
fc.configureGlobal({ seed });

/** The path of a failure, as fast-check prints it; used by the slowest test. */
export const path = TEST_PATH;

/** fast-check, with the seed. */
export { default as fc } from 'fast-check';

/** @returns the runs of a random test: `count`, multiplied with `TEST_RUNS` */
export const runs = (count: number): number => Math.ceil(count * Number(TEST_RUNS));

/** A value of an arbitrary. */
export type ValueOf<Any> = Any extends fc.Arbitrary<infer Value> ? Value : never;
