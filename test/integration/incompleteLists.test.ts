import { credential, sandbox, useFailures } from '../support/failures';
import { NodeInWorkflow } from '../support/n8nCore';

useFailures();

let trigger: NodeInWorkflow;
beforeEach(async () => {
	trigger = await NodeInWorkflow.create('voiceAgentTrigger', {
		parameters: { events: ['call.completed'] },
		credential,
	});
});

/** Answers a GET of a path with an empty list. */
const emptyAt = (wanted: string) => {
	sandbox.fault = ({ method, path }) =>
		method === 'GET' && path === wanted
			? { kind: 'status', status: 200, body: { data: [] } }
			: undefined;
};

describe('a service whose list is incomplete', () => {
	test('an endpoint whose id is stored is removed', async () => {
		emptyAt('/webhooks');
		await trigger.publish();
		trigger.parameters = { events: ['call.started'] };
		await trigger.publish();
		expect(sandbox.endpoints()).toMatchObject([{ events: ['call.started'] }]);
		await trigger.call('delete');
		expect(sandbox.endpoints()).toEqual([]);
	});

	test.each([400, 404, 410, 422])(
		'an endpoint that was removed by hand does not prevent publishing, if its DELETE is answered %i',
		async (status) => {
			await trigger.publish();
			const [gone] = sandbox.endpoints();
			sandbox.removeEndpoint(gone!.id);
			sandbox.fault = ({ method, path }) =>
				method === 'DELETE' && path.endsWith(gone!.id) ? { kind: 'status', status } : undefined;
			await trigger.publish();
			expect(sandbox.endpoints()).toHaveLength(1);
			await trigger.call('delete');
			expect(sandbox.endpoints()).toEqual([]);
		},
	);
});

test('an empty catalog does not prevent publishing an event that was typed', async () => {
	emptyAt('/webhooks/event-types');
	await trigger.publish();
	expect(sandbox.endpoints()).toMatchObject([{ events: ['call.completed'] }]);
});
