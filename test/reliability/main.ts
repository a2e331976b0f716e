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

void runScript(
	'test:reliability',
	() => startStack(),
	(stack, { isShort, seed }) => [
		['No event lost', () => loseNoEvent(stack, isShort ? 120 : 2000, isShort ? 1 : 5, seed)],
		['Caught up', () => catchUpOnAll(stack, isShort ? 60 : 300)],
		['Neighbours', () => keepNeighbours(hostOf(stack), isShort ? 2 : 10)],
	],
);

const hostOf = ({ n8n: { api, url }, certificate: { ca }, proxy }: Stack): Host => ({
	...{ api, url, ca, proxy },
	hasStaticDataInRuns: true,
});
