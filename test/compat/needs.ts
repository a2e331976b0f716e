import { type FeatureName, isLacking } from '../../sandbox/stack/features';
import { chosenLine } from '../../sandbox/stack/install-n8n';

/** @returns `test`, or `test.skip` if the tested line of n8n lacks a feature */
export const testNeeding = (feature?: FeatureName) =>
	feature && isLacking(chosenLine(), feature) ? test.skip : test;
