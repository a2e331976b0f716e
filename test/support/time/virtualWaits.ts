import { time } from './virtualTime';

/** n8n-workflow with waits in virtual time; each test file has to pass it to `jest.mock`. */
module.exports = {
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => await time.sleep(ms),
};
