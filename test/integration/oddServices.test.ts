import { skipTime } from '../support/clock';
import type { KeptEndpoint, Reply, Script } from '../support/scriptedService';
import {
	FOREIGN,
	ownEndpoints,
	script,
	service,
	trigger,
	useTrigger,
} from '../support/triggerSetup';

// The node's waits pass at once; its clock goes on by them.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/skippedWaits'));

useTrigger();

/** Longer than any list lags behind. */
const LATER_MS = 20_000;

const find = (id: string) => service.endpoints.find((endpoint) => endpoint.id === id);
const drop = (id: string) => {
	service.endpoints = service.endpoints.filter((endpoint) => endpoint.id !== id);
};
const listed = (url: (url: string) => string | null): Script => ({
	list: (endpoints) => ({
		body: { data: endpoints.map((one) => ({ ...one, url: url(one.url) })) },
	}),
});
/** Answers a removal with 204, and goes on listing the endpoint with other fields. */
const kept = (says: object): Script => ({
	remove: (id) => {
		Object.assign(find(id) ?? {}, says, { isKept: true });
		return { status: 204 };
	},
});
/** Refuses to remove what is no longer there. */
const unknownIs = (said: Reply): Script => ({ remove: (id) => (find(id) ? undefined : said) });
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

const odd: Array<[says: string, script: () => Script]> = [
	[
		'answers a creation with all endpoints',
		() => ({ created: () => ({ body: service.endpoints }) }),
	],
	['answers a creation with an array', () => ({ created: (one) => ({ body: [one] }) })],
	['answers a creation with 202 and no body', () => ({ created: () => ({ status: 202 }) })],
	[
		'answers a creation with another name for the ID',
		() => ({ created: ({ id }) => ({ body: { message: 'Created', webhook_id: id } }) }),
	],
	[
		'writes the new over the old at the same address',
		() => ({
			refuse: (wanted) => {
				const there = ownEndpoints().find(
					({ url }) => url.split('?')[0] === wanted.url.split('?')[0],
				);
				if (!there) return undefined;
				delete there.events;
				return { body: Object.assign(there, wanted) };
			},
		}),
	],
	['allows one endpoint, and says 402', () => full(402)],
	['allows one endpoint, and says 403', () => full(403)],
	['allows one endpoint, and says 429', () => full(429)],
	['hides the URLs', () => listed(() => null)],
	['has a word for the URLs', () => listed(() => 'hidden')],
	['masks the host', () => listed(() => 'https://***')],
	['masks the path', () => listed((url) => `${new URL(url).origin}/***`)],
	['shortens the URLs', () => listed((url) => `${url.slice(0, 30)}…`)],
	['masks the middle', () => listed((url) => `${url.slice(0, 28)}****${url.slice(-4)}`)],
	['lists the URLs without scheme and query', () => listed((url) => url.slice(8).split('?')[0]!)],
	['answers every removal with 204', () => ({ remove: (id) => (drop(id), { status: 204 }) })],
	[
		'answers a removal with the record',
		() => ({
			remove: (id) => {
				const body = find(id);
				drop(id);
				return body && { body: { ...body, deleted: false } };
			},
		}),
	],
	[
		'removes later, and lists it until then',
		() => {
			const leaving: Array<{ endpoint: KeptEndpoint; until: number }> = [];
			return {
				remove: (id) => {
					const endpoint = find(id);
					if (!endpoint) return undefined;
					leaving.push({ endpoint, until: Date.now() + 3_000 });
					drop(id);
					return { status: 202 };
				},
				list: (endpoints) => {
					const left = leaving.filter(({ until }) => until > Date.now());
					return { body: { data: [...endpoints, ...left.map(({ endpoint }) => endpoint)] } };
				},
			};
		},
	],
	['says 400 of an unknown ID', () => unknownIs({ status: 400 })],
	['says 403 of an unknown ID', () => unknownIs({ status: 403 })],
	['says 500 of an unknown ID', () => unknownIs({ status: 500 })],
	['keeps what was removed, with its time', () => kept({ deleted_at: '2026-01-02T03:04:05Z' })],
	['keeps what was removed, without a URL', () => kept({ url: null, status: 'deleted' })],
	['keeps what was removed, archived', () => kept({ archived: true })],
	['takes two seconds for every answer', () => slow(2_000)],
	['takes three seconds for every answer', () => slow(3_000)],
	['takes eight seconds for a creation', () => ({ refuse: () => void skipTime(8_000) })],
];

test.each(odd)('one endpoint, and none in the end, at a service that %s', async (_says, make) => {
	script(make());
	const live = () => ownEndpoints().filter((endpoint) => !('isKept' in endpoint));
	const publishAndCount = async (events: string[]) => {
		await publish(events);
		expect(live()).toMatchObject([{ events }]);
		skipTime(LATER_MS);
	};
	await publishAndCount(['call.completed']);
	expect(await trigger.call('checkExists')).toBe(true);
	await publishAndCount(['call.started']);
	trigger.credential = { ...trigger.credential, apiKey: 'svc_live_two' };
	trigger.webhookBase = 'https://new.example.com/';
	await publishAndCount(['call.completed']);
	await trigger.call('delete');
	expect(live()).toEqual([]);
	expect(service.endpoints).toContainEqual(FOREIGN);
});

/** Publishes a changed trigger as n8n does, with its tries. */
async function publish(events: string[]): Promise<void> {
	const remove = async () => await trigger.call('delete').catch(() => false);
	for (let tries = 0; tries < 3 && !(await remove()); tries++) skipTime(1_000);
	trigger.parameters = { ...trigger.parameters, events };
	for (let tries = 1; ; tries++) {
		try {
			return await trigger.publish();
		} catch (error) {
			await remove();
			if (tries === 5) throw error;
			skipTime(1_000 * 2 ** tries);
		}
	}
}
