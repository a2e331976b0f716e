/*
 * Tests in a real n8n that no event is lost, that hostile requests start no execution, and that no
 * secret is stored or logged: `npm run test:reliability`
 *   -- --short            for each change, in eight minutes
 *   -- --seed 1234        other moments for publishes, restarts and crashes; `random` draws a seed
 *   -- --part Comparison  only the parts whose title begins with it
 */
import '../support/noProxy';
import { startStack } from '../../sandbox/stack/stack';
import { compareWithGithubTrigger } from './comparison';
import { catchUpOnAll, loseNoEvent, measureLimits } from './events';
import { refuseHostileRequests } from './hostileRequests';
import { receiveLargeBodies } from './largeBodies';
import { sendPairs } from './pairs';
import { type Part, runScript } from './report';
import { keepSecrets } from './secrets';

const full = {
	events: { events: 2000, republishes: 5, replacements: 3, restarts: 3, kills: 3 },
	caughtUp: 300,
	pairs: 1000,
	pairsSeconds: Infinity,
	hostileRequests: 10_000,
};
const short: typeof full = {
	events: { events: 120, republishes: 1, replacements: 1, restarts: 1, kills: 1 },
	caughtUp: 60,
	pairs: 1000,
	pairsSeconds: 40,
	hostileRequests: 500,
};

void runScript(
	'test:reliability',
	() => startStack({ env: { N8N_LOG_LEVEL: 'debug' } }),
	(stack, { isShort, seed }) => {
		const sizes = isShort ? short : full;
		const parts: Part[] = [
			['No event lost', () => loseNoEvent(stack, sizes.events, seed)],
			['Caught up', () => catchUpOnAll(stack, sizes.caughtUp)],
			['Pairs of the same event', () => sendPairs(stack, sizes.pairs, sizes.pairsSeconds, seed)],
			['Hostile requests', () => refuseHostileRequests(stack, sizes.hostileRequests)],
			['Large bodies', () => receiveLargeBodies(stack)],
			['Secrets', () => keepSecrets(stack)],
		];
		const longParts: Part[] = [
			['Limits of n8n', () => measureLimits(stack, 5)],
			["Comparison with n8n's GitHub Trigger", compareWithGithubTrigger],
		];
		return isShort ? parts : [...parts, ...longParts];
	},
);
