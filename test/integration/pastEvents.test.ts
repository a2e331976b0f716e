import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { axes } from '../../sandbox/axes';
import { namedDialects, type Dialect } from '../../sandbox/dialects';
import { idsIn } from '../../nodes/VoiceAgent/events/places';
import { FOLDERS, readPayloads } from '../support/events/callPayloads';
import { call } from '../support/publishing/catchUpSetup';
import { NodeInWorkflow } from '../support/n8n/core';
import {
	post,
	publish,
	receiver,
	registeredUrl,
	sandbox,
	trigger,
	useReceiver,
} from '../support/n8n/receiveSetup';
import { startScriptedService, type ScriptedService } from '../support/service/scriptedService';

const OUTPUTS = ['both', 'details', 'event', 'row'];
const EVENTS = {
	resource: 'webhook',
	operation: 'getDeliveries',
	returnAll: true,
	output: 'events',
};

/** Makes a node that gets events of all webhooks. */
async function reader(credential: { baseUrl: string; apiKey: string }) {
	const node = await NodeInWorkflow.create('voiceAgent', { credential });
	const get = async (parameters: INodeParameters = {}) => {
		node.parameters = { ...EVENTS, allWebhooks: true, ...parameters };
		return (await node.execute()).map(({ json }) => json);
	};
	return { node, get };
}

/** The items in JSON, which shows the order of fields. */
const written = (items: unknown[]) => items.map((item) => JSON.stringify(item));

describe('past events are the items of the deliveries of', () => {
	useReceiver();
	const loggedEvent = 'payload' as const;
	const values = (['eventEnvelope', 'eventSpelling', 'payload'] as const).flatMap((axis) =>
		axes[axis].map((value): [string, Partial<Dialect>] => [`${axis}=${value}`, { [axis]: value }]),
	);

	// Promise: Past events of every dialect are byte for byte the items of their deliveries.
	test.each<[string, Partial<Dialect>]>([...values, ...Object.entries(namedDialects)])(
		'%s',
		async (_name, dialect) => {
			await publish({}, { ...dialect, loggedEvent, challenge: 'none' });
			const { get } = await reader(sandbox.credential);
			for (const output of OUTPUTS) {
				const before = receiver.received.length;
				Object.assign(trigger.parameters, { events: ['*'], output });
				const { id } = sandbox.endpoints()[0]!;
				for (const type of ['call.started', 'call.completed', 'chat.completed']) {
					await sandbox.deliver(id, type, { call_id: `${output}-${type}`, from: '+14155550100' });
				}
				const items = receiver.received.slice(before).flatMap((received) => received.items);
				expect(items.length).toBeGreaterThanOrEqual(3);
				const past = await get({ eventOutput: output });
				expect(written(past.slice(-items.length))).toEqual(written(items));
			}
		},
	);

	let service: ScriptedService;
	beforeAll(async () => {
		service = await startScriptedService();
	});
	afterAll(async () => await service.stop());

	test('each payload of a real service', async () => {
		await publish();
		const { get } = await reader({ ...sandbox.credential, baseUrl: service.baseUrl });
		let compared = 0;
		for (const [index, payload] of FOLDERS.flatMap(readPayloads).entries()) {
			const { body, headers = {}, eventType } = payload;
			const output = OUTPUTS[index % OUTPUTS.length]!;
			Object.assign(trigger.parameters, { events: ['*'], output });
			const { items = [] } = await post(registeredUrl(), body, headers);
			service.endpoints = [{ id: 'wh_1', url: registeredUrl() }];
			const [delivery_id] = idsIn(headers, []);
			const record = { id: 'a1', status: 'delivered', event_type: eventType, payload: body };
			service.logs = { wh_1: [delivery_id ? { ...record, delivery_id } : record] };
			expect(written(await get({ eventOutput: output }))).toEqual(written(items));
			compared += items.length;
		}
		expect(compared).toBeGreaterThan(240);
	}, 60_000);
});

describe('of a log', () => {
	let service: ScriptedService;
	let node: NodeInWorkflow;
	let get: Awaited<ReturnType<typeof reader>>['get'];
	beforeEach(async () => {
		service = await startScriptedService();
		service.endpoints = ['wh_1', 'wh_2'].map((id) => ({
			id,
			url: `https://n8n.example.com/${id}`,
		}));
		service.logs = { wh_1: [], wh_2: [] };
		const credential = { baseUrl: service.baseUrl, apiKey: 'svc_live_0123456789' };
		({ node, get } = await reader(credential));
	});
	afterEach(async () => await service.stop());

	const at = (minute: number) => `2026-05-04T08:${minute}:00.000Z`;
	/** Logs an attempt. */
	const log = (id: string, minute: number, more: IDataObject = {}, endpoint = 'wh_1') =>
		service.logs[endpoint]!.unshift({
			...{ id: `att_${id}_${minute}`, event_id: `evt_${id}`, event_type: 'call.completed' },
			...{ status: 'delivered', attempted_at: at(minute), payload: call(id), ...more },
		});
	const failed = { status: 'failed' };
	/** The calls of the events. */
	const calls = async (options: INodeParameters = {}, parameters: INodeParameters = {}) =>
		(await get({ eventOutput: 'row', options, ...parameters }))
			.map(({ call_id, error }) => (call_id ?? error) as string)
			.join(' ');

	test('each event comes once and the oldest first, whatever its attempts and webhooks', async () => {
		log('2', 10, failed);
		log('1', 11);
		log('2', 12, failed);
		log('2', 14);
		log('2', 13, {}, 'wh_2');
		log('3', 15, {}, 'wh_2');
		expect(await calls()).toBe('1 2 3');
		expect(await calls({}, { returnAll: false, limit: 2 })).toBe('2 3');
	});

	// Promise: Each of 500 events of a log comes once and the oldest first, also over many pages.
	test('500 events with repeated attempts come once, in two requests more than the log has pages', async () => {
		for (let index = 0; index < 500; index++) {
			const attempted_at = new Date(Date.parse(at(10)) + index * 1000).toISOString();
			if (index % 5 === 0) log(`${index}`, 10, { ...failed, attempted_at });
			log(`${index}`, 10, { attempted_at });
		}
		const all = Array.from({ length: 500 }, (_, index) => index).join(' ');
		expect(await calls({}, { allWebhooks: false, webhookId: { mode: 'id', value: 'wh_1' } })).toBe(
			all,
		);
		expect(service.requests).toHaveLength(6 + 2);
	});

	test.each<[INodeParameters, string]>([
		[{ since: at(20) }, '20 30 40'],
		[{ until: at(20) }, '10 20'],
		[{ since: '2026-05-04T10:20:00', until: '2026-05-04T10:30' }, '20 30'],
		[{ since: `={{ DateTime.fromISO("${at(30)}") }}` }, '30 40'],
		[{ events: ['call.started'] }, '30'],
		[{ onlyFailed: true }, '20 40'],
		[{ onlyMissed: true }, '20'],
		[{ onlyCalls: { filter: { direction: 'outbound' } } }, '10'],
	])('%j chooses events', async (options, chosen) => {
		node.workflowSettings = { timezone: 'Europe/Berlin' };
		log('10', 10, { payload: call('10', { direction: 'outbound' }) });
		log('20', 20, failed);
		const started = { ...call('30'), type: 'call.started' };
		log('30', 30, { event_type: 'call.started', payload: started });
		log('40', 40, { status: 'unheard-of' });
		expect(await calls(options)).toBe(chosen);
	});

	test('chosen events need the list of events: without it, an event could not be told from others', async () => {
		log('1', 10, { event_type: 'call.started', payload: { ...call('1'), type: 'call.started' } });
		service.script.catalog = () => ({ status: 400 });
		await expect(calls({ events: ['call.completed'] })).rejects.toThrow('status 400');
		expect(await calls()).toBe('1');
	});

	test('a time that is none fails', async () => {
		await expect(calls({ since: 'yesterday' })).rejects.toThrow("'Since' is not a valid time");
	});

	test('an event whose time the log does not state is in every period', async () => {
		log('1', 10, { attempted_at: null });
		log('2', 20, { ...failed, attempted_at: null });
		log('2', 30);
		log('3', 40);
		expect(await calls({ since: at(35), until: at(50) })).toBe('1 2 3');
	});

	test('mapping and country code apply', async () => {
		log('1', 10, { payload: { ...call('1', { from: null }), anrufer: '030 1234567' } });
		const fields = [{ detail: 'customer.phone', path: '={{ $json.anrufer }}' }];
		const [event] = await get({
			options: { callDetailsMapping: { fields }, countryCode: '+49' },
		});
		expect(event).toMatchObject({ callDetails: { customer: { phone: '+49301234567' } } });
	});

	test('events whose content the log lacks have a hint', async () => {
		log('1', 10, { payload: null });
		log('2', 11);
		expect(await calls()).toBe('2');
		expect(node.hints.join()).toMatch(/Of 1 events, the service's log does not hold the content/);
	});
});
