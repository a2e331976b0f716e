import { type FeatureName, isLacking } from '../../sandbox/stack/features';
import { chosenLine } from '../../sandbox/stack/install-n8n';
import { needing } from './report';

/**
 * Makes a test that needs a feature of n8n. Where the line that is run lacks it, the test is left
 * out, under a name by which `npm run test:compat` counts it.
 */
export function testNeeding(feature: FeatureName, title: string, work: () => Promise<void>): void {
	const make = isLacking(chosenLine(), feature) ? test.skip : test;
	make(needing(feature, title), work);
}
