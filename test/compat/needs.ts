import { type FeatureName, isLacking } from '../../sandbox/stack/features';
import { chosenLine } from '../../sandbox/stack/install-n8n';
import { needing } from './report';

/**
 * Defines a test that needs a feature of n8n. If the tested line lacks the feature, the test is
 * skipped, and `npm run test:compat` counts it by its title.
 */
export function testNeeding(feature: FeatureName, title: string, work: () => Promise<void>): void {
	const make = isLacking(chosenLine(), feature) ? test.skip : test;
	make(needing(feature, title), work);
}
