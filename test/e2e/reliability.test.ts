/** The reliability proof in short; `npm run test:reliability` runs it at full length. */
import { randomInt } from 'node:crypto';
import { type Stack, startStack } from '../../sandbox/stack/stack';
import { loseNoEvent } from '../reliability/events';
import type { Report } from '../reliability/report';
import { keepSecrets } from '../reliability/secrets';
import { repelStrangers } from '../reliability/strangers';

const minute = 60_000;
jest.setTimeout(10 * minute);

const seed = String(randomInt(1e6));

let stack: Stack;
beforeAll(async () => {
	stack = await startStack({ env: { N8N_LOG_LEVEL: 'debug' } });
}, 15 * minute);
afterAll(() => stack?.stop());

/** Fails with all figures where a bound does not hold. */
function expectToHold({ lines, broken }: Report): void {
	if (broken.length > 0) throw new Error(['Broken:', ...broken, '', ...lines].join('\n'));
}

test(`no event is lost over publishes, restarts, crashes and failing runs (seed ${seed})`, async () => {
	const sizes = { events: 120, republishes: 1, replacements: 1, restarts: 1, kills: 1 };
	expectToHold(await loseNoEvent(stack, sizes, seed));
});

test('hostile requests start nothing, are answered, and do no harm', async () => {
	expectToHold(await repelStrangers(stack, 500));
});

test('no secret is left behind', async () => {
	expectToHold(await keepSecrets(stack));
});
