import { type FeatureName, isLacking } from '../../sandbox/stack/features';

/** Whether every case runs: `npm test` leaves those that are alike to test:compat, which runs in n8n 2.41, too. */
const isWhole = process.env.N8N_LINE !== undefined;

/** @returns all cases, or the first ones for `npm test` */
export const shortened = <Case>(cases: readonly Case[], count = 1): readonly Case[] =>
	isWhole ? cases : cases.slice(0, count);

/** @returns whether the tested line of n8n has a feature */
export const isRunnable = (feature?: FeatureName) => !feature || !isLacking(feature);

/** @returns `test`, or `test.skip` if the tested line of n8n lacks a feature */
export const testNeeding = (feature?: FeatureName) => (isRunnable(feature) ? test : test.skip);
