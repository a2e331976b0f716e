import { axes } from '../../sandbox/axes';
import { type Dialect, namedDialects, parseDialect } from '../../sandbox/dialects';
import { sampleData } from '../../sandbox/service/events';
import {
	api,
	begin,
	hook,
	receiver,
	sandbox,
	useSandbox,
	unknownId,
} from '../support/service/sandboxSetup';

useSandbox();

/** Random values, times and addresses, with the texts around them. */
const RANDOM = /[\w+/=:.-]*\d{4}[\w+/=:.-]*|[\w+/=:.-]{22,}|svc_live_[\w-]+|\b[\da-f]{12}\b/g;

/** @returns answers and deliveries of a dialect; a length stands for each random value and time */
async function recordingOf(dialect: Partial<Dialect>): Promise<string> {
	await begin({ dialect, pageSize: 2, retryScale: 0.0001 });
	const recorded: unknown[] = [];
	const ask = async (method: string, url: string, data?: object) => {
		const { status, headers, data: body } = await api.request<unknown>({ method, url, data });
		recorded.push(method, status, { ...headers, 'content-length': '', date: '' }, body);
	};
	await ask('GET', '/webhooks/event-types');
	await ask('POST', '/workspace/api-keys', { name: 'CRM' });
	await ask('GET', '/webhooks');
	for (const token of ['12345', '12345', '67890&workflow=1']) {
		await ask('POST', '/webhooks', { url: `${hook}/a%2fb?token=${token}` });
	}
	// Two more exist even if the dialect refuses the ones above.
	sandbox.addEndpoint({ url: `${hook}/chosen`, events: ['call.completed'] });
	sandbox.addEndpoint({ url: `${hook}/every` });
	await ask('GET', '/webhooks');
	// The second page of two, if the dialect has cursors.
	await ask('GET', '/webhooks?cursor=Mg');
	await ask('DELETE', `/webhooks/${unknownId}`);
	for (const { id } of sandbox.endpoints().slice(0, -1)) await ask('DELETE', `/webhooks/${id}`);
	await ask('GET', '/webhooks');

	const { id: tested } = sandbox.endpoints()[0]!;
	await ask('POST', `/webhooks/${tested}/test`);
	await sandbox.settled();
	await ask('GET', `/webhooks/${tested}/deliveries`);
	// More failures than one schedule has attempts, and fewer than the other has.
	receiver.statuses = Array<number>(12).fill(500);
	sandbox.emit('call.completed', sampleData('call.completed'));
	await sandbox.settled();
	recorded.push(receiver.delivered);
	Object.assign(receiver, { delivered: [], statuses: [] });
	await sandbox.stop();
	return JSON.stringify(recorded)
		.replace(/(?<="duration_ms":)\d+/g, '')
		.replace(RANDOM, ({ length }) => `(${length})`);
}

test.each(Object.keys(axes) as Array<keyof typeof axes>)(
	'every value of %s changes the responses',
	async (axis) => {
		const recordings = new Map<string, string>();
		for (const value of axes[axis]) {
			const text = await recordingOf({ [axis]: value });
			expect([value, recordings.get(text)]).toEqual([value, undefined]);
			recordings.set(text, value);
		}
	},
	60_000,
);

test('the same dialect gives the same responses, without random values', async () => {
	expect(await recordingOf({})).toBe(await recordingOf({}));
});

test('a dialect is parsed from words', async () => {
	await begin();
	expect(parseDialect('')).toEqual(namedDialects.assumed);
	expect(parseDialect('terse, paging=none')).toEqual({ ...namedDialects.terse, paging: 'none' });
	expect(() => parseDialect('fancy')).toThrow(/no dialect 'fancy'.*assumed, wrapped, terse/);
	expect(() => parseDialect('colour=red')).toThrow(/no axis of dialects 'colour'/);
	expect(() => parseDialect('paging=red')).toThrow(/'paging' can't be 'red'; it can be none/);
});
