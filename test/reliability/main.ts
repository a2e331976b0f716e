/*
 * Tests in a real n8n that no event is lost: `npm run test:reliability`
 *   -- --short            for each change, in minutes
 *   -- --seed 1234        other moments for publishes, restarts and crashes; `random` draws a seed
 *   -- --part Neighbours   only the parts whose title begins with it
 */
import '../support/jest/noProxy';
import { type Stack, startStack } from '../../sandbox/stack/stack';
import { catchUpOnAll, loseNoEvent } from './events';
import { type Host, keepNeighbours } from './neighbours';
import { runScript } from './report';

const full = {
	events: { events: 2000, republishes: 5, replacements: 3, restarts: 3, kills: 3 },
	caughtUp: 300,
	neighbours: 10,
};
const short: typeof full = {
	events: { events: 120, republishes: 1, replacements: 1, restarts: 1, kills: 1 },
	caughtUp: 60,
	neighbours: 2,
};

void runScript(
	'test:reliability',
	() => startStack(),
	(stack, { isShort, seed }) => {
		const sizes = isShort ? short : full;
		return [
			['No event lost', () => loseNoEvent(stack, sizes.events, seed)],
			['Caught up', () => catchUpOnAll(stack, sizes.caughtUp)],
			['Neighbours', () => keepNeighbours(hostOf(stack), sizes.neighbours)],
		];
	},
);

const hostOf = ({ n8n: { api, url }, certificate: { ca }, proxy }: Stack): Host => ({
	...{ api, url, ca, proxy },
	hasStaticDataInRuns: true,
});
