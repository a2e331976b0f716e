/*
 * The reliability proof, in a real n8n: no event lost, no stranger let in, no secret left behind.
 * `npm run test:reliability`, or with a seed: `npm run test:reliability -- 1234`.
 * Only the comparison with another trigger: `npm run test:reliability -- side-by-side`.
 */
import '../support/noProxy';
import { randomInt } from 'node:crypto';
import { step } from '../../sandbox/stack/progress';
import { startStack } from '../../sandbox/stack/stack';
import { loseNoEvent, measureLimits } from './events';
import { conclude, type Part, proveAll } from './report';
import { compareWithGithubTrigger } from './sideBySide';
import { keepSecrets } from './secrets';
import { repelStrangers } from './strangers';

const sideBySide: Part = ["Side by side with n8n's GitHub Trigger", compareWithGithubTrigger];

async function main(): Promise<string[]> {
	if (process.argv[2] === 'side-by-side') return await proveAll([sideBySide]);
	const seed = process.argv[2] ?? String(randomInt(1e6));
	const stack = await startStack({ env: { N8N_LOG_LEVEL: 'debug' } });
	try {
		const sizes = { events: 2000, republishes: 5, replacements: 3, restarts: 3, kills: 3 };
		return await proveAll([
			['No event lost', () => loseNoEvent(stack, sizes, seed)],
			['What n8n itself imposes', () => measureLimits(stack, 5)],
			['Strangers', () => repelStrangers(stack, 10_000)],
			['Secrets', () => keepSecrets(stack)],
			sideBySide,
		]);
	} finally {
		await step('Stop everything', () => stack.stop());
	}
}

void conclude('test:reliability', main);
