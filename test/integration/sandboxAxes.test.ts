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
} from '../support/sandboxSetup';

useSandbox();

/** The failed attempts: more than one schedule has, and fewer than the other has. */
const FAILURES = 12;

/** The headers of an answer that a dialect varies, and those of a delivery that it does not. */
const VARIED = ['content-type', 'link', 'content-range', 'x-total-count'];
const CONSTANT = ['content-length', 'host'];

/** Patterns of random values and times, and their replacements. */
const RANDOM: Array<[pattern: RegExp, kind: string]> = [
	[/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID'],
	[/\b[\da-f]{12}\b/g, 'SHORT-ID'],
	[/127\.0\.0\.1:\d+/g, 'HOST'],
	[/whsec_[\w+/=]+/g, 'SECRET'],
	[/svc_live_[\w-]+/g, 'KEY'],
	[/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
	[/\b1\d{12}\b/g, 'MILLISECONDS'],
	[/\b1\d{9}\b/g, 'SECONDS'],
	[/(?<="duration_ms":)\d+/g, 'DURATION'],
	[/\b[\da-f]{64}\b/g, 'HEX'],
	[/[\w+/]{43}=/g, 'BASE64'],
];

/** The axes whose values show only together with values of other axes. */
const CONTEXTS: Partial<Record<keyof Dialect, Partial<Dialect>>> = {
	pagingPlace: { paging: 'cursor', listEnvelope: 'nested' },
	lastPage: { paging: 'cursor' },
	pageOverlap: { paging: 'cursor' },
};

/** @returns all answers and deliveries of a dialect, without random values */
async function recordingOf(dialect: Partial<Dialect>): Promise<string> {
	await begin({ dialect, pageSize: 2, retryScale: 0.0001 });
	const recorded: unknown[] = [];
	const ask = async (method: string, url: string, data?: object) => {
		const { status, headers, data: body } = await api.request<unknown>({ method, url, data });
		recorded.push([method, status, VARIED.map((name) => headers[name] as unknown), body]);
	};
	await ask('GET', '/webhooks');
	await ask('GET', '/webhooks/event-types');
	await ask('POST', '/workspace/api-keys', { name: 'CRM' });
	await ask('POST', '/webhooks', { url: `${hook}/a%2fb?token=12345` });
	await ask('POST', '/webhooks', { url: `${hook}/a%2fb?token=12345` });
	await ask('POST', '/webhooks', { url: `${hook}/a%2fb?token=67890&workflow=1` });
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
	receiver.statuses = Array<number>(FAILURES).fill(500);
	sandbox.emit('call.completed', sampleData('call.completed'));
	await sandbox.settled();
	for (const { path, headers, body } of receiver.delivered) {
		const others = Object.entries(headers).filter(([name]) => !CONSTANT.includes(name));
		recorded.push([path, others, body]);
	}
	Object.assign(receiver, { delivered: [], statuses: [] });
	await sandbox.stop();
	return RANDOM.reduce(
		(text, [pattern, kind]) => text.replace(pattern, kind),
		JSON.stringify(recorded),
	);
}

test.each(Object.keys(axes) as Array<keyof typeof axes>)(
	'every value of %s changes the responses',
	async (axis) => {
		const recordings = new Map<string, string>();
		for (const value of axes[axis]) {
			const text = await recordingOf({ ...CONTEXTS[axis], [axis]: value });
			expect([value, recordings.get(text)]).toEqual([value, undefined]);
			recordings.set(text, value);
		}
		// Without random values, the same dialect gives the same recording.
		const again = await recordingOf({ ...CONTEXTS[axis], [axis]: axes[axis][0] });
		expect(recordings.get(again)).toBe(axes[axis][0]);
	},
	60_000,
);

test('a dialect is parsed from words', async () => {
	await begin();
	expect(parseDialect('')).toEqual(namedDialects.assumed);
	expect(parseDialect('terse, paging=none')).toEqual({ ...namedDialects.terse, paging: 'none' });
	expect(() => parseDialect('fancy')).toThrow(/no dialect 'fancy'.*assumed, wrapped, terse/);
	expect(() => parseDialect('colour=red')).toThrow(/no axis of dialects 'colour'/);
	expect(() => parseDialect('paging=red')).toThrow(/'paging' can't be 'red'; it can be none/);
});
