/** The reliability proof in short; `npm run test:reliability` runs it at full length. */
import { randomInt } from 'node:crypto';
import { type Stack, startStack } from '../../sandbox/stack/stack';
import { loseNoEvent } from '../reliability/events';
import { keepSecrets } from '../reliability/secrets';
import { repelStrangers } from '../reliability/strangers';

jest.setTimeout(300_000);

let stack: Stack;
beforeAll(async () => {
	stack = await startStack({ env: { N8N_LOG_LEVEL: 'debug' } });
});
afterAll(() => stack.stop());

test('no event is lost over publishes, restarts, crashes and failing runs', async () => {
	const sizes = { events: 120, republishes: 1, restarts: 1, kills: 1 };
	const { broken } = await loseNoEvent(stack, sizes, String(randomInt(1e6)));
	expect(broken).toEqual([]);
});

test('hostile requests start nothing, are answered, and do no harm', async () => {
	const { broken } = await repelStrangers(stack, 500);
	expect(broken).toEqual([]);
});

test('no secret is left behind', async () => {
	const { broken } = await keepSecrets(stack);
	expect(broken).toEqual([]);
});
