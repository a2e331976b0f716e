/*
 * The reliability proof, in a real n8n: no event lost, no stranger let in, no secret left behind.
 * `npm run test:reliability`
 *   -- --short          what a change has to pass, in five minutes
 *   -- --seed 1234      other moments for publishes, restarts and crashes; `random` draws one
 *   -- --side-by-side   only the comparison with another trigger
 */
import '../support/noProxy';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { step } from '../../sandbox/stack/progress';
import { startStack } from '../../sandbox/stack/stack';
import { loseNoEvent, measureLimits } from './events';
import { conclude, type Part, proveAll } from './report';
import { compareWithGithubTrigger } from './sideBySide';
import { keepSecrets } from './secrets';
import { repelStrangers } from './strangers';

const sideBySide: Part = ["Side by side with n8n's GitHub Trigger", compareWithGithubTrigger];

const full = { events: 2000, republishes: 5, replacements: 3, restarts: 3, kills: 3 };
const short = { events: 120, republishes: 1, replacements: 1, restarts: 1, kills: 1 };

async function main(): Promise<string[]> {
	const { values } = parseArgs({
		options: {
			short: { type: 'boolean', default: false },
			seed: { type: 'string', default: '20261122' },
			'side-by-side': { type: 'boolean', default: false },
		},
	});
	if (values['side-by-side']) return await proveAll([sideBySide]);
	const seed = values.seed === 'random' ? String(randomInt(1e6)) : values.seed;
	console.log(`Repeat with npm run test:reliability -- --seed ${seed}`);
	const stack = await startStack({ env: { N8N_LOG_LEVEL: 'debug' } });
	const lossless = (sizes: typeof full): Part => [
		'No event lost',
		() => loseNoEvent(stack, sizes, seed),
	];
	const strangers = (count: number): Part => ['Strangers', () => repelStrangers(stack, count)];
	const secrets: Part = ['Secrets', () => keepSecrets(stack)];
	try {
		if (values.short) return await proveAll([lossless(short), strangers(500), secrets]);
		return await proveAll([
			lossless(full),
			['What n8n itself imposes', () => measureLimits(stack, 5)],
			strangers(10_000),
			secrets,
			sideBySide,
		]);
	} finally {
		await step('Stop everything', () => stack.stop());
	}
}

void conclude('test:reliability', main);
