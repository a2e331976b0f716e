import { skipTime } from '../support/clock';
import type { Reply } from '../support/scriptedService';
import {
	copyOf,
	FOREIGN,
	ownEndpoints,
	requestsOf,
	script,
	service,
	trigger,
	useTrigger,
} from '../support/triggerSetup';

// The node's waits pass at once; its clock goes on by them.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/skippedWaits'));

useTrigger();

describe('the removal', () => {
	test('of an endpoint that the list does not show, and that fails, is not done', async () => {
		await trigger.publish();
		script({ list: () => ({ body: { data: [FOREIGN] } }), remove: () => ({ status: 500 }) });
		await expect(trigger.call('delete')).rejects.toThrow(ownEndpoints()[0]!.id);
		script({ list: () => ({ body: { data: [FOREIGN] } }) });
		await trigger.call('delete');
		expect(ownEndpoints()).toEqual([]);
	});

	test.each<[string, Reply]>([
		['404', { status: 404 }],
		['422', { status: 422 }],
		['200 with an error', { body: { error: { code: 'not_found' } } }],
	])('is done where a late list still shows it, and is answered %s', async (_name, said) => {
		await trigger.publish();
		const [endpoint] = ownEndpoints();
		let lists = 0;
		script({
			list: () => (lists++ < 2 ? { body: { data: [FOREIGN, endpoint] } } : undefined),
			remove: () => (ownEndpoints().length === 0 ? said : undefined),
		});
		await trigger.call('delete');
		expect(ownEndpoints()).toEqual([]);
	});

	test.each<object>([
		{ status: 'archived' },
		{ status: 'inactive' },
		{ state: 'deleting' },
		{ active: false },
		{ enabled: false },
		{ archived: true },
	])('is done where it stays listed as %j', async (says) => {
		await trigger.publish();
		script({
			remove: (id) => {
				Object.assign(service.endpoints.find((one) => one.id === id)!, says);
				return { status: 204 };
			},
		});
		await trigger.call('delete');
		await trigger.publish();
		expect(ownEndpoints()).toMatchObject([says, { events: ['call.completed'] }]);
	});

	describe('that is refused for the state of the endpoint, which a late list does not show', () => {
		const hidden = () => ({ body: { data: [FOREIGN] } });

		test.each([405, 409, 412, 423, 425])('is not done: %i', async (status) => {
			await trigger.publish();
			script({ list: hidden, remove: () => ({ status }) });
			await expect(trigger.call('delete')).rejects.toThrow(ownEndpoints()[0]!.id);
			script({ list: hidden });
			await trigger.call('delete');
			expect(ownEndpoints()).toEqual([]);
		});

		test('is tried again by the next call, where the old endpoint was to make way', async () => {
			await trigger.publish();
			trigger.parameters = { ...trigger.parameters, events: ['call.started'] };
			let refusals = 1;
			script({ list: hidden, remove: () => (refusals-- > 0 ? { status: 409 } : undefined) });
			await trigger.call('create');
			await trigger.call('delete');
			expect(ownEndpoints()).toEqual([]);
		});

		test('is tried again by the next call, where it was found by the list before', async () => {
			await trigger.publish();
			trigger.staticData = {};
			let lists = 0;
			let refusals = 1;
			script({
				list: () => (lists++ > 0 ? hidden() : undefined),
				remove: () => (refusals-- > 0 ? { status: 409 } : undefined),
			});
			await expect(trigger.call('delete')).rejects.toThrow(ownEndpoints()[0]!.id);
			await trigger.call('delete');
			expect(ownEndpoints()).toEqual([]);
		});
	});

	test.each([[[409, 404]], [[404]]])(
		'is not done by a single 404 where the time is up, after %j in all',
		async (answers) => {
			await trigger.publish();
			if (answers.length === 1) trigger.staticData = {};
			script({
				remove: () => {
					skipTime(4_300);
					return { status: answers.shift() ?? 409 };
				},
				list: () => {
					skipTime(answers.length > 1 ? 300 : 2_400);
					return undefined;
				},
			});
			await expect(trigger.call('delete')).rejects.toThrow();
			expect(ownEndpoints()).toHaveLength(1);
		},
	);

	describe('never takes the endpoint of another n8n at the same host, with a copy of the workflow', () => {
		test.each(['https://n8n.example.com/staging/', 'https://n8n.example.com/a/b/'])(
			'below %s',
			async (webhookBase) => await expectKept({ webhookBase }),
		);

		test.each(['hooks', 'webhook-staging', 'webhook-test'])(
			'with the webhook prefix %s',
			async (prefix) => await expectKept({ prefix }),
		);

		/** Publishes a copy in another n8n, then publishes and unpublishes the trigger here. */
		async function expectKept({ webhookBase = trigger.webhookBase, prefix = 'webhook' }) {
			const { now } = Date;
			const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() - 13 * 60_000);
			const other = trigger.twin({});
			Object.assign(other, { webhookBase });
			await other.publish();
			clock.mockRestore();
			const [copy] = ownEndpoints();
			copy!.url = copy!.url.replace('/webhook/', `/${prefix}/`);
			await trigger.publish();
			await trigger.call('delete');
			expect(ownEndpoints()).toEqual([copy]);
		}
	});

	describe("leaves an endpoint that was pointed elsewhere in the service's dashboard", () => {
		test.each([
			'https://crm.example.com/hooks',
			'https://crm.example.com/•••',
			'https://n8n.example.com/webhook/1b9d/webhook',
			'https://n8n.example.com/webhook-test/1b9d/webhook?voice_agent_token=***',
		])('to %s', async (url) => {
			await trigger.publish();
			const [moved] = ownEndpoints();
			moved!.url = url;
			// Also where the list is read by `create`, by a publish of other events, and for a listener.
			expect(await trigger.call('checkExists')).toBe(false);
			await trigger.call('create');
			expect(ownEndpoints()).toHaveLength(2);
			trigger.parameters = { ...trigger.parameters, events: ['call.started'] };
			await trigger.call('delete');
			await trigger.publish();
			await trigger.call('delete');
			expect(ownEndpoints()).toEqual([moved]);
		});

		test('and sends no DELETE for it', async () => {
			await trigger.publish();
			ownEndpoints()[0]!.url = 'https://crm.example.com/hooks';
			const requests = await requestsOf(async () => await trigger.call('delete'));
			expect(requests).toEqual(['GET /webhooks']);
		});

		test('and takes it back once it is pointed here again', async () => {
			await trigger.publish();
			const [moved] = ownEndpoints();
			const { url } = moved!;
			moved!.url = 'https://crm.example.com/hooks';
			await trigger.publish();
			moved!.url = url;
			await trigger.call('delete');
			expect(ownEndpoints()).toEqual([]);
		});
	});

	test.each([
		['says that nothing was deleted', { body: { deleted: false } }],
		['is accepted', { status: 202 }],
	])('whose answer %s is not done while the list shows it', async (_name, said) => {
		await trigger.publish();
		script({ remove: () => said });
		await expect(trigger.call('delete')).rejects.toThrow(ownEndpoints()[0]!.id);
		script({});
		await trigger.call('delete');
		expect(ownEndpoints()).toEqual([]);
	});

	describe('that was refused, and is then answered 404 while the list shows it', () => {
		const answer = (answers: number[]) =>
			script({
				remove: () => {
					const status = answers.shift();
					return status === undefined ? undefined : { status };
				},
			});

		test('is tried on, for that may be the bad moment of a proxy', async () => {
			await trigger.publish();
			answer([409, 409, 409, 404]);
			await trigger.call('delete');
			expect(ownEndpoints()).toEqual([]);
		});
	});

	test('of an old one that fails, while the list does not show it, is tried again by the next', async () => {
		await trigger.publish();
		trigger.parameters = { ...trigger.parameters, events: ['call.started'] };
		script({
			list: (endpoints) => ({ body: { data: endpoints.slice(-1) } }),
			remove: (id) => (id === 'wh_1' ? { status: 500 } : undefined),
		});
		await trigger.publish();
		script({ list: (endpoints) => ({ body: { data: endpoints.slice(2) } }) });
		await trigger.call('delete');
		expect(ownEndpoints()).toEqual([]);
	});

	test('of a listener that died goes with the next publish; a live one stays', async () => {
		const { now } = Date;
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() - 13 * 60_000);
		await trigger.call('create', true);
		clock.mockRestore();
		trigger.staticData = {};
		const [dead] = ownEndpoints();
		await trigger.publish();
		expect(ownEndpoints().map(({ id }) => id)).not.toContain(dead!.id);

		const listener = copyOf(trigger.staticData);
		trigger.staticData = {};
		await trigger.call('create', true);
		const live = ownEndpoints().at(-1)!;
		trigger.staticData = listener;
		await trigger.call('delete');
		expect(ownEndpoints()).toEqual([live]);
	});

	test('by a listener never takes the endpoint of the published workflow', async () => {
		await trigger.publish();
		const published = trigger.staticData;
		trigger.staticData = {};
		await trigger.call('create', true);
		await trigger.call('delete', true);
		expect(ownEndpoints()).toHaveLength(1);
		expect(ownEndpoints()[0]!.url).toContain('/webhook/');
		trigger.staticData = published;
		expect(await trigger.call('checkExists')).toBe(true);
	});
});
