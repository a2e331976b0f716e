import { requestLog } from '../../nodes/VoiceAgent/log/requestLog';
import { NodeInWorkflow } from '../support/n8n/core';
import { startScriptedService, type ScriptedService } from '../support/service/scriptedService';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

let service: ScriptedService;
let node: NodeInWorkflow;
/** The times of the records, page by page. */
let pages: Array<Array<string | number | null>>;
/** The first page that is answered with 500. */
let brokenFrom: number;
/** The JSON of a further field of each record. */
let more: string;

beforeAll(async () => {
	service = await startScriptedService();
	service.script.log = (_id, page) => {
		if (page >= brokenFrom) return { status: 500, body: { message: 'broken' } };
		const records = (pages[page - 1] ?? []).map(
			(time, index) =>
				`{"id":"a${page}-${index}","status":"failed","attempted_at":${JSON.stringify(time)}${more}}`,
		);
		const next = page < pages.length ? page + 1 : null;
		return { body: `{"data":[${records.join()}],"next_page":${next}}` };
	};
	const credential = { baseUrl: service.baseUrl, apiKey: 'svc_live_0123456789' };
	node = await NodeInWorkflow.create('voiceAgent', { credential });
});
afterAll(async () => await service.stop());
beforeEach(() => {
	[brokenFrom, more] = [Infinity, ''];
	service.requests = [];
});

const at = (minute: number) => `2026-05-04T08:${String(minute).padStart(2, '0')}:00Z`;
const readSince = async (since?: number) => {
	const deadline = { endsAt: Date.now() + 30_000, timeout: 10_000 };
	const part = since === undefined ? {} : { since: Date.parse(at(since)) };
	return await requestLog(node.executeContext(), { id: 'we_1' }, deadline, part);
};

describe('a log is read', () => {
	test.each<[string, pages: string, read: number]>([
		['up to the first page that is older', '50 40, 39 30, 29 10, 9 8', 3],
		['up to an older page of one record', '50, 20, 10', 2],
		['up to an older page whose times are equal', '50 40, 20 20, 10 9', 2],
		['up to an older page in which one event was retried', '50 49 48 47, 9 7 8 6, 5', 2],
		['up to a page that ends before the time', '31 29, 28 27, 26 25', 1],
		['to the end if its oldest records come first', '1 2, 3 4, 50 51', 3],
		['to the end if it has no order', '9 3 7 5, 2 8 4 6, 50 1 2', 3],
		['to the end if all of its times are equal', '9 9, 9 9, 50 50', 3],
		['to the end past records without a time', '50 40, - -, 45', 3],
	])('%s', async (_how, minutes, read) => {
		const timeOf = (minute: string) => (minute === '-' ? null : at(Number(minute)));
		pages = minutes.split(', ').map((page) => page.split(' ').map(timeOf));
		const log = await readSince(30);
		expect(log).toMatchObject({ complete: true });
		expect(service.requests).toHaveLength(read);
		expect(log.value).toHaveLength(pages.slice(0, read).flat().length);
	});

	test('to the end without a time', async () => {
		pages = [[at(20), at(10)], [at(9)]];
		expect(await readSince()).toMatchObject({ complete: true });
		expect(service.requests).toHaveLength(2);
	});
});

test('what was read is returned with the failure of a later page', async () => {
	pages = [[at(50), at(40)], [at(39), at(35)], [at(34)]];
	brokenFrom = 3;
	const log = await readSince(30);
	expect(log.value).toHaveLength(4);
	expect(log).toMatchObject({ complete: false });
	expect(log.error?.message).toContain('broken');
});

test('a failure of the first page is thrown', async () => {
	pages = [[at(50)]];
	brokenFrom = 1;
	await expect(readSince(30)).rejects.toThrow('broken');
});

test('a record that nests too deep is read beside the others, each once', async () => {
	pages = [[at(50), at(40)], [at(39)]];
	more = `,"payload":${'{"a":['.repeat(50_000)}${']}'.repeat(50_000)}`;
	const log = await readSince();
	expect(log.value.map(({ details }) => [details.id, details.event])).toEqual([
		['a1-0', null],
		['a1-1', null],
		['a2-0', null],
	]);
});
