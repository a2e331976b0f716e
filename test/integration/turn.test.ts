import { randomUUID } from 'node:crypto';

import { waitForTurn } from '../../sandbox/turn';

test('a turn that ends passes to the next process, and turns of other names stay free', async () => {
	const [name, other] = [randomUUID(), randomUUID()];
	const endTurn = await waitForTurn(name, () => {});
	const endOther = await waitForTurn(other, () => {});
	const waits = jest.fn();
	const next = waitForTurn(name, waits);
	while (waits.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
	endTurn();
	(await next)();
	endOther();
});
