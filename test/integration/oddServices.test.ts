import { skipTime } from '../support/time/clock';
import { N8nLifecycle } from '../support/n8n/lifecycle';
import type { Script } from '../support/service/scriptedService';
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

/** Longer than any list is outdated. */
const LATER_MS = 20_000;

const find = (id: string) => service.endpoints.find((endpoint) => endpoint.id === id);
const drop = (id: string) => {
	service.endpoints = service.endpoints.filter((endpoint) => endpoint.id !== id);
};
const HIDING = 'hides the URLs';
const hiding: Script = {
	list: (endpoints) => ({ body: { data: endpoints.map((one) => ({ ...one, url: null })) } }),
};
/** Answers a removal with 204, and keeps the endpoint in the list, with other fields. */
const kept = (fields: object): Script => ({
	remove: (id) => {
		Object.assign(find(id) ?? {}, fields, { isRemoved: true });
		return { status: 204 };
	},
});
const full = (status: number): Script => ({
	refuse: () =>
		ownEndpoints().length > 0 ? { status, body: { error: 'Limit reached' } } : undefined,
});
const slow = (ms: number): Script => ({
	list: () => void skipTime(ms),
	refuse: () => void skipTime(ms),
	remove: () => void skipTime(ms),
	catalog: () => void skipTime(ms),
});

const odd: Array<[name: string, script: () => Script]> = [
	['creates, and lists all endpoints', () => ({ created: () => ({ body: service.endpoints }) })],
	['answers a creation with 202 and no body', () => ({ created: () => ({ status: 202 }) })],
	['allows one endpoint, else answers 402', () => full(402)],
	['allows one endpoint, else answers 429', () => full(429)],
	[HIDING, () => hiding],
	['answers every removal with 204', () => ({ remove: (id) => (drop(id), { status: 204 }) })],
	['lists removed endpoints, with the time', () => kept({ deleted_at: '2026-01-02T03:04:05Z' })],
	['lists removed endpoints, without a URL', () => kept({ url: null, status: 'deleted' })],
	['lists removed endpoints as disabled', () => kept({ enabled: false })],
	['gives 64-bit numbers as IDs', () => ((service.firstId = 9_007_199_254_740_992n), {})],
	['takes three seconds for every answer', () => slow(3_000)],
	['takes eight seconds for a creation', () => ({ refuse: () => void skipTime(8_000) })],
];

test.each(odd)(
	'one endpoint while published, none after the unpublish, at a service that %s',
	async (name, make) => {
		script(make());
		const own = () => ownEndpoints().filter((endpoint) => !('isRemoved' in endpoint));
		const lifecycle = new N8nLifecycle(trigger, undefined, skipTime);
		const publishAndCount = async (events: string[]) => {
			await lifecycle.publish({ ...trigger.parameters, events });
			expect(own()).toMatchObject([{ events }]);
			skipTime(LATER_MS);
		};
		await publishAndCount(['call.completed']);
		lifecycle.load();
		expect(await trigger.call('checkExists')).toBe(name !== HIDING);
		await publishAndCount(['call.started']);
		trigger.credential = { ...trigger.credential, apiKey: 'svc_live_two' };
		trigger.webhookBase = 'https://new.example.com/';
		await publishAndCount(['call.completed']);
		lifecycle.load();
		await trigger.call('delete');
		expect(own()).toEqual([]);
		const asked = service.requests.flatMap((one) => /webhooks\/(wh_\d+|\d+)/.exec(one)?.[1] ?? []);
		expect(asked.filter((id) => !(id in service.logs) && id !== FOREIGN.id)).toEqual([]);
		expect(service.endpoints).toContainEqual(FOREIGN);
	},
);
