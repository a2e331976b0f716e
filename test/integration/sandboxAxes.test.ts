import { axes } from '../../sandbox/axes';
import type { Dialect } from '../../sandbox/dialects';
import { sampleData } from '../../sandbox/service/events';
import {
	api,
	begin,
	hook,
	receiver,
	sandbox,
	useSandbox,
	unknownId,
} from '../support/sandboxScene';

useSandbox();

/** More than the tries of one schedule, and fewer than those of the other. */
const FAILURES = 12;

/** Headers of an answer that tell something, and those of a delivery that tell nothing. */
const TELLING = ['content-type', 'link', 'content-range', 'x-total-count'];
const UNTELLING = ['content-length', 'host'];

/** What is drawn by chance or follows the clock: in its place stands what it is. */
const BY_CHANCE: Array<[pattern: RegExp, kind: string]> = [
	[/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID'],
	[/\b[\da-f]{12}\b/g, 'SHORT-ID'],
	[/127\.0\.0\.1:\d+/g, 'HOST'],
	[/whsec_[\w+/=]+/g, 'SECRET'],
	[/svc_live_[\w-]+/g, 'KEY'],
	[/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
	[/\b1\d{12}\b/g, 'MILLISECONDS'],
	[/\b1\d{9}\b/g, 'SECONDS'],
	[/\b[\da-f]{64}\b/g, 'HEX'],
	[/[\w+/]{43}=/g, 'BASE64'],
];

/** Speaks with a service of a dialect about everything, and tells what it said and did. */
async function listenTo(dialect: Partial<Dialect>): Promise<string> {
	await begin({ dialect, pageSize: 2, retryScale: 0.0001 });
	const said: unknown[] = [];
	const ask = async (method: string, url: string, data?: object) => {
		const { status, headers, data: body } = await api.request<unknown>({ method, url, data });
		said.push([method, status, TELLING.map((name) => headers[name] as unknown), body]);
	};
	await ask('GET', '/webhooks');
	await ask('GET', '/webhooks/event-types');
	await ask('POST', '/workspace/api-keys', { name: 'CRM' });
	await ask('POST', '/webhooks', { url: `${hook}/a%2fb?token=1` });
	await ask('POST', '/webhooks', { url: `${hook}/a%2fb?token=1` });
	await ask('POST', '/webhooks', { url: `${hook}/a%2fb?token=2` });
	// Of those that the dialect refuses there is one all the same.
	sandbox.addEndpoint({ url: `${hook}/chosen`, events: ['call.completed'] });
	sandbox.addEndpoint({ url: `${hook}/every` });
	await ask('GET', '/webhooks');
	await ask('DELETE', `/webhooks/${unknownId}`);
	for (const { id } of sandbox.endpoints().slice(0, -1)) await ask('DELETE', `/webhooks/${id}`);

	await ask('POST', `/webhooks/${sandbox.endpoints()[0]!.id}/test`);
	await sandbox.settled();
	receiver.statuses = Array<number>(FAILURES).fill(500);
	sandbox.emit('call.completed', sampleData('call.completed'));
	await sandbox.settled();
	for (const { path, headers, body } of receiver.delivered) {
		const others = Object.entries(headers).filter(([name]) => !UNTELLING.includes(name));
		said.push([path, others, body]);
	}
	receiver.delivered = [];
	await sandbox.stop();
	return BY_CHANCE.reduce(
		(text, [pattern, kind]) => text.replace(pattern, kind),
		JSON.stringify(said),
	);
}

let assumed: string;
beforeAll(async () => {
	assumed = await listenTo({});
});

describe('the sandbox speaks', () => {
	test.each(Object.keys(axes) as Array<keyof typeof axes>)('every value of %s', async (axis) => {
		const heard = new Map<string, string>();
		for (const value of axes[axis]) {
			const text = await listenTo({ [axis]: value });
			expect([value, heard.get(text)]).toEqual([value, undefined]);
			heard.set(text, value);
		}
		// Nothing is left to chance: else any two would differ.
		expect([...heard.keys()][0]).toBe(assumed);
	});
});
