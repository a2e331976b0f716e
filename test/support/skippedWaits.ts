import { skipTime } from './lifecycleFaults';

/** n8n-workflow with waits by which the clock goes on at once, for `jest.mock`, which has to stand in each test file. */
module.exports = {
	...jest.requireActual<object>('n8n-workflow'),
	sleep: (ms: number) => {
		skipTime(ms);
		return Promise.resolve();
	},
};
