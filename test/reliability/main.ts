/*
 * Tests in a real n8n that no event is lost, that hostile requests start no execution, and that no
 * secret is stored or logged: `npm run test:reliability`
 *   -- --short        for each change, in eight minutes
 *   -- --seed 1234    other moments for publishes, restarts and crashes; `random` draws a seed
 *   -- --comparison   only the comparison with n8n's GitHub Trigger
 */
import '../support/noProxy';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { step } from '../../sandbox/stack/progress';
import { startStack } from '../../sandbox/stack/stack';
import { compareWithGithubTrigger } from './comparison';
import { catchUpOnAll, loseNoEvent, measureLimits, type Sizes } from './events';
import { refuseHostileRequests } from './hostileRequests';
import { type PairSizes, sendPairs } from './pairs';
import { type Part, runParts, runScript } from './report';
import { keepSecrets } from './secrets';

const comparison: Part = ["Comparison with n8n's GitHub Trigger", compareWithGithubTrigger];

const full: Sizes = { events: 2000, republishes: 5, replacements: 3, restarts: 3, kills: 3 };
const short: Sizes = { events: 120, republishes: 1, replacements: 1, restarts: 1, kills: 1 };

const fullPairs: PairSizes = { pairs: 1000, seconds: Infinity, lookAlikes: 1000 };
const shortPairs: PairSizes = { pairs: 1000, seconds: 40, lookAlikes: 100 };

async function main(): Promise<string[]> {
	const { values } = parseArgs({
		options: {
			short: { type: 'boolean', default: false },
			seed: { type: 'string', default: '20261122' },
			comparison: { type: 'boolean', default: false },
		},
	});
	if (values.comparison) return await runParts([comparison]);
	const seed = values.seed === 'random' ? String(randomInt(1e6)) : values.seed;
	console.log(`Repeat with npm run test:reliability -- --seed ${seed}`);
	const stack = await startStack({ env: { N8N_LOG_LEVEL: 'debug' } });
	const events = (sizes: Sizes): Part => ['No event lost', () => loseNoEvent(stack, sizes, seed)];
	const hostileRequests = (count: number): Part => [
		'Hostile requests',
		() => refuseHostileRequests(stack, count),
	];
	const caughtUp = (count: number): Part => ['Caught up', () => catchUpOnAll(stack, count)];
	const pairs = (sizes: PairSizes): Part => [
		'Pairs of the same event',
		() => sendPairs(stack, sizes, seed),
	];
	const secrets: Part = ['Secrets', () => keepSecrets(stack)];
	try {
		if (values.short) {
			const parts = [events(short), caughtUp(60), pairs(shortPairs)];
			return await runParts([...parts, hostileRequests(500), secrets]);
		}
		return await runParts([
			events(full),
			caughtUp(300),
			pairs(fullPairs),
			['Limits of n8n', () => measureLimits(stack, 5)],
			hostileRequests(10_000),
			secrets,
			comparison,
		]);
	} finally {
		await step('Stop everything', () => stack.stop());
	}
}

void runScript('test:reliability', main);
