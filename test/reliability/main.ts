/*
 * Tests in a real n8n that no event is lost, and that no secret is stored or logged: `npm run test:reliability`
 *   -- --short            for each change, in nine minutes
 *   -- --seed 1234        other moments for publishes, restarts and crashes; `random` draws a seed
 *   -- --part Neighbours   only the parts whose title begins with it
 */
import '../support/jest/noProxy';
import { type Stack, startStack } from '../../sandbox/stack/stack';
import { catchUpOnAll, loseNoEvent } from './events';
import { type Host, keepNeighbours } from './neighbours';
import { type Part, runScript } from './report';
import { restartAmidFaults, type RestartSizes } from './restarts';
import { keepSecrets } from './secrets';

const full = {
	events: { events: 2000, republishes: 5, replacements: 3, restarts: 3, kills: 3 },
	caughtUp: 300,
	restarts: {
		caughtUp: 60,
		faultSeconds: 60,
		refusals: [
			[429, 'disabled'],
			[503, 'disabled'],
			[429, 'deleted'],
			[503, 'deleted'],
		],
	} as RestartSizes,
	neighbours: { rounds: 10, events: 10, overlaps: 20 },
};
const short: typeof full = {
	events: { events: 120, republishes: 1, replacements: 1, restarts: 1, kills: 1 },
	caughtUp: 60,
	restarts: {
		caughtUp: 20,
		faultSeconds: 20,
		refusals: [
			[429, 'disabled'],
			[503, 'deleted'],
		],
	},
	neighbours: { rounds: 2, events: 10, overlaps: 5 },
};

void runScript(
	'test:reliability',
	() => startStack({ env: { N8N_LOG_LEVEL: 'debug' } }),
	(stack, { isShort, seed }) => {
		const sizes = isShort ? short : full;
		let restarted: ReturnType<typeof restartAmidFaults> | undefined;
		const restart = () => (restarted ??= restartAmidFaults(stack, sizes.restarts));
		const parts: Part[] = [
			['No event lost', () => loseNoEvent(stack, sizes.events, seed)],
			['Caught up', () => catchUpOnAll(stack, sizes.caughtUp)],
			['Restart in a catch-up', async () => await (await restart()).killed],
			['Restart amid faults', async () => await (await restart()).present],
			['Neighbours', () => keepNeighbours(hostOf(stack), sizes.neighbours)],
			// Late, because it waits for minutes in which n8n must not restart.
			['Restart with a deleted webhook', async () => await (await restart()).deleted],
			['Secrets', () => keepSecrets(stack)],
		];
		return parts;
	},
);

function hostOf({ n8n: { api, url }, certificate: { ca }, proxy }: Stack): Host {
	return {
		...{ api, url, ca },
		refuseDeliveries: () => proxy.close(),
		acceptDeliveries: () => proxy.open(),
		hasStaticDataInRuns: true,
	};
}
