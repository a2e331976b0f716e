import { skipTime } from './clock';

/** n8n-workflow with waits that only move the clock; each test file has to pass it to `jest.mock`. */
module.exports = {
	...jest.requireActual<object>('n8n-workflow'),
	sleep: (ms: number) => {
		skipTime(ms);
		return Promise.resolve();
	},
};
