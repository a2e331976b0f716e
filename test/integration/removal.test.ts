import { skipTime } from '../support/time/clock';
import type { Reply, Script } from '../support/service/scriptedService';
import {
	FOREIGN,
	ownEndpoints,
	script,
	service,
	trigger,
	useTrigger,
} from '../support/n8n/triggerSetup';

// The node's waits pass at once, and its clock jumps by their length.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/skippedWaits'));

useTrigger();

/** The age of a test listener that is stale. */
const STALE_MS = 13 * 60_000;

const expectRemoval = async () => {
	await trigger.call('delete');
	expect(ownEndpoints()).toEqual([]);
};

describe('the removal', () => {
	beforeEach(async () => await trigger.publish());

	test.each([401, 403])('sends a DELETE that is answered %i once, and fails', async (status) => {
		script({ remove: () => ({ status }) });
		const before = service.requests.length;
		await expect(trigger.call('delete')).rejects.toThrow(`status ${status}`);
		const sent = service.requests.slice(before).filter((request) => request.startsWith('DELETE'));
		expect(sent).toHaveLength(1);
	});

	test.each<[string, Reply]>([
		['404', { status: 404 }],
		['422', { status: 422 }],
		['200 with an error', { body: { error: { code: 'not_found' } } }],
	])(
		'succeeds if an outdated list still shows the endpoint, and further requests get %s',
		async (_name, answer) => {
			const [endpoint] = ownEndpoints();
			let lists = 0;
			script({
				list: () => (lists++ < 2 ? { body: { data: [FOREIGN, endpoint] } } : undefined),
				remove: () => (ownEndpoints().length === 0 ? answer : undefined),
			});
			await expectRemoval();
		},
	);

	test.each([400, 404, 410, 422])('of a missing endpoint may be answered %i', async (status) => {
		const [gone] = ownEndpoints();
		service.endpoints = [];
		script({ remove: (id) => (id === gone!.id ? { status } : undefined) });
		await trigger.publish();
		expect(ownEndpoints()).toHaveLength(1);
		await expectRemoval();
	});

	const hidden = () => ({ body: { data: [FOREIGN] } });
	test.each<[string, Script['list'], Reply]>([
		...[405, 409, 412, 423, 425, 500].map((status): [string, Script['list'], Reply] => [
			'does not show yet',
			hidden,
			{ status },
		]),
		['shows', undefined, { body: { deleted: false } }],
		['shows', undefined, { status: 202 }],
	])('of an endpoint that the list %s fails if it is refused: %#', async (_what, list, answer) => {
		script({ list, remove: () => answer });
		await expect(trigger.call('delete')).rejects.toThrow(ownEndpoints()[0]!.id);
		script({ list });
		await expectRemoval();
	});

	// Promise: An endpoint that was pointed elsewhere in the service's dashboard stays.
	test.each([
		'https://crm.example.com/hooks',
		'https://crm.example.com/•••',
		'https://n8n.example.com/webhook/1b9d/webhook',
		'https://n8n.example.com/webhook-test/1b9d/webhook?voice_agent_token=***',
	])('leaves an endpoint that was pointed elsewhere: %s', async (url) => {
		const [moved] = ownEndpoints();
		moved!.url = url;
		// `create` and a publish of other event types read the list, too.
		expect(await trigger.call('checkExists')).toBe(false);
		await trigger.call('create');
		expect(ownEndpoints()).toHaveLength(2);
		trigger.parameters = { ...trigger.parameters, events: ['call.started'] };
		await trigger.call('delete');
		await trigger.publish();
		await trigger.call('delete');
		expect(ownEndpoints()).toEqual([moved]);
	});

	test('of a replaced endpoint that fails is repeated by the next call, though the list lacks it', async () => {
		trigger.parameters = { ...trigger.parameters, events: ['call.started'] };
		script({
			list: (endpoints) => ({ body: { data: endpoints.slice(-1) } }),
			remove: (id) => (id === 'wh_1' ? { status: 500 } : undefined),
		});
		await trigger.publish();
		script({ list: (endpoints) => ({ body: { data: endpoints.slice(2) } }) });
		await expectRemoval();
	});
});

test('the removal of a copy that shares the path leaves the endpoint of the published workflow', async () => {
	await trigger.publish();
	const copy = trigger.twin({});
	// n8n unpublishes a workflow, too, that it refused to publish because another one has its path.
	Object.assign(copy, { workflowId: 'copyOfWorkflow01' });
	await copy.call('delete');
	await copy.call('delete');
	expect(ownEndpoints()).toHaveLength(1);
});

// Promise: A copy of a workflow in another n8n at the same host keeps its endpoint.
test.each<{ webhookBase?: string; prefix?: string }>([
	{ webhookBase: 'https://n8n.example.com/staging/' },
	{ webhookBase: 'https://n8n.example.com/a/b/' },
	{ prefix: 'hooks' },
	{ prefix: 'webhook-staging' },
	{ prefix: 'webhook-test' },
])(
	'the removal leaves the endpoint of another n8n at the same host, with a copy of the workflow: %j',
	async ({ webhookBase = trigger.webhookBase, prefix = 'webhook' }) => {
		const other = trigger.twin({});
		Object.assign(other, { webhookBase });
		await other.publish();
		skipTime(STALE_MS);
		const [copy] = ownEndpoints();
		copy!.url = copy!.url.replace('/webhook/', `/${prefix}/`);
		await trigger.publish();
		await trigger.call('delete');
		expect(ownEndpoints()).toEqual([copy]);
	},
);
