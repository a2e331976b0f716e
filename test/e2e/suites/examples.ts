import { appHosts, takeTexts } from '../../support/others/apps';
import { addStandIns, service, setUp, stack, useService } from '../harness';

addStandIns(appHosts);
useService({}, true);

/** @returns an attempt in the form of a delivery log */
const attempt = (id: string, status: number) => ({
	...{ id: `${id}.1`, delivery_id: id, event_type: 'call.completed', attempt: 1 },
	...{ status: status < 300 ? 'delivered' : 'failed', response_status: status, response_body: '' },
	attempted_at: new Date().toISOString(),
});

test('a message says what is wrong with a webhook, and none comes if all is well', async () => {
	const { api } = stack.n8n;
	const attempts: object[] = [];
	service.sandbox.addEndpoint({
		url: `https://hooks.example.com/?voice_agent_token=${'s'.repeat(43)}`,
	});
	service.sandbox.fault = ({ path }) =>
		path.endsWith('/deliveries') ? { kind: 'answer', body: attempts } : undefined;
	const workflowId = await setUp('alert-on-failing-deliveries');
	/** Runs the workflow. @returns its status, and the texts that Slack received */
	const execute = async () => {
		const { status } = await api.runToEnd(workflowId, 'Every hour');
		return [status, ...takeTexts()];
	};
	expect(await execute()).toEqual(['success']);
	attempts.unshift(attempt('dlv_1', 200));
	expect(await execute()).toEqual(['success']);
	attempts.unshift(attempt('dlv_2', 507));
	const [status, text, ...others] = await execute();
	expect([status, others]).toEqual(['success', []]);
	expect(text).toMatch(/^\*https:\S+\?\*{3}\*\nThe receiver failed \(status 507\)\./);
	expect(await execute()).toEqual(['success', text]);
	attempts.unshift(attempt('dlv_3', 200));
	expect(await execute()).toEqual(['success']);
});
