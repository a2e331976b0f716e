/** What a published trigger keeps while a person tests beside it, at a service whose IDs are awkward. */
import { until } from '../../sandbox/stack/until';
import { readEvery } from '../support/publishing/caughtUpEvents';
import { publishTrigger } from '../reliability/publishedTrigger';
import { type ScriptedService, startScriptedService } from '../support/service/scriptedService';
import { shareN8n, stack, successes } from './harness';

const WAIT_S = 60;

// In an n8n of its own: 2.41 and 1.123 copy a test listener deeply, and fail after many executions.
shareN8n();

let service: ScriptedService;
let workflowId: string;
beforeAll(async () => {
	service = await startScriptedService();
	// A JSON parser rounds such numbers.
	service.firstId = 9_007_199_254_740_992n;
	const credential = { baseUrl: service.baseUrl, apiKey: 'svc_live_1' };
	const parameters = { options: { testEvent: 'real' }, ...readEvery(3, 0) };
	({ workflowId } = await publishTrigger(stack.n8n.api, { credential }, { parameters }));
});
afterAll(async () => await service?.stop());

// Promise: In a real n8n, Execute step beside a published workflow leaves its webhook and its catching up alone.
test('a test listener that was closed leaves the published trigger alone', async () => {
	const { api } = stack.n8n;
	const [published, ...others] = service.endpoints;
	expect(others).toEqual([]);
	expect(await api.run(workflowId, 'Trigger')).toBeUndefined();
	await until('the test webhook', WAIT_S, () => service.endpoints.length === 2);
	await api.request('DELETE', `/test-webhook/${workflowId}`);
	await until('its removal', WAIT_S, () => service.endpoints.length === 1);
	expect(service.endpoints).toEqual([published]);
	service.logs[published!.id]!.unshift({
		id: 'att_one',
		event_id: 'evt_one',
		event_type: 'call.completed',
		status: 'failed',
		response_status: 503,
		attempted_at: new Date().toISOString(),
		payload: { id: 'evt_one', type: 'call.completed', data: { call_id: 'one' } },
	});
	// The execution of this attempt is the only one.
	await successes(stack, workflowId);
	const polls = () => service.requests.filter((one) => /GET .*deliveries/.test(one)).length;
	const before = polls();
	await until('two polls', WAIT_S, () => polls() >= before + 2);
	await successes(stack, workflowId);
});
