import { skipTo, waits } from './clock';

const real = jest.requireActual<typeof import('n8n-workflow')>('n8n-workflow');

/**
 * n8n-workflow with waits over which the clock jumps, also if several requests wait at the same time; each
 * test file has to pass it to `jest.mock`.
 */
module.exports = {
	...real,
	sleep: async (ms: number) => {
		waits.ms.push(ms);
		if (waits.areReal) return await real.sleep(ms);
		const end = Date.now() + ms;
		// Requests under way are answered before the clock jumps.
		await real.sleep(1);
		skipTo(end);
	},
};
