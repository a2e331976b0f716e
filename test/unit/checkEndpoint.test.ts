import type { Endpoint } from '../../nodes/VoiceAgent/lists/records';
import type { EndpointFacts } from '../../nodes/VoiceAgent/operations/check/checkEndpoint';
import {
	arrived,
	at,
	complete,
	failed,
	check,
	lost,
	withEndpoint,
} from '../support/service/endpointFacts';

describe('the list of webhooks', () => {
	const working = [at(1, arrived)];

	test('report a disabled webhook and its failures', () => {
		const { ok, problems } = check([at(1, failed(500))], withEndpoint({ isDisabled: true }));
		expect(ok).toBe(false);
		expect(problems.map(({ what }) => what).join()).toMatch(/as disabled.*status 500/);
		expect(problems[0]?.toDo).toMatch(/unpublish the workflow and publish it again/);
	});

	test.each<[Partial<Endpoint>, ok: boolean | null, what: RegExp]>([
		[{ isRemoved: true }, false, /^The service lists this webhook as deleted/],
		[{ isUnverified: true }, null, /waits for the verification/],
	])('report the state %j', (state, ok, what) => {
		const found = check(working, withEndpoint(state));
		expect(found.ok).toBe(ok);
		expect([...found.problems, ...found.doubts]).toEqual([
			expect.objectContaining({ what: expect.stringMatching(what) as string }),
		]);
	});

	test.each<[EndpointFacts['list'], RegExp]>([
		[lost('It is lost.'), /^The list of webhooks could not be read: It is lost\./],
		[complete([]), /^The list of webhooks does not contain/],
		[{ value: [], complete: false }, /^The list of webhooks could not be read completely/],
	])('have a doubt about a webhook that is not in %j', (list, summary) => {
		expect(check(working, { list })).toMatchObject({ ok: null, events: null });
		expect(check(working, { list }).summary).toMatch(summary);
	});
});

test('the doubts of a test event are added to the others', () => {
	const doubt = { what: 'A test event was sent.', toDo: 'Look for it.' };
	const testEvent = { arrived: true, doubts: [doubt] };
	expect(check([at(1, arrived)], { testEvent })).toMatchObject({
		ok: null,
		doubts: [doubt],
		sampleArrived: true,
	});
});
