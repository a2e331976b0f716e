import type { IHookFunctions, INodeParameters } from 'n8n-workflow';

import { readSettings, readValidSettings } from '../../nodes/VoiceAgent/trigger/settings';

function contextOf(parameters: Record<string, unknown>): IHookFunctions {
	const getNodeParameter = (path: string, fallback: unknown) => {
		const [name = '', option] = path.split('.');
		const value = parameters[name];
		return (option ? (value as INodeParameters)[option] : value) ?? fallback;
	};
	return { getNodeParameter, getTimezone: () => 'UTC' } as unknown as IHookFunctions;
}

test.each([
	['*', []],
	[['call.started', '*'], []],
	[' call.completed , call.started,', ['call.completed', 'call.started']],
	[
		['call.completed', ' call.started ', '', 'call.started'],
		['call.completed', 'call.started'],
	],
])('publishing reads the chosen events %j as %j', (events, expected) => {
	expect(readValidSettings(contextOf({ events }))).toMatchObject({ events: expected });
});

test.each([undefined, null, '', [], [' ']])('a publish fails with the events %j', (events) => {
	expect(() => readValidSettings(contextOf({ events }))).toThrow("'Event Names or IDs' is empty");
});

test('without options, every setting has its default', () => {
	expect(readSettings(contextOf({}))).toEqual({
		events: [],
		output: 'both',
		detailOptions: { timezone: 'UTC', eachCollected: false },
		verifySignature: false,
		deliveryDetails: false,
		isPasted: false,
		requestTest: true,
		showLatest: false,
	});
});

test.each([
	[' +49 ', '+49'],
	['', undefined],
])('the country code %j is read as %j', (countryCode, read) => {
	const { detailOptions, problem } = readSettings(contextOf({ options: { countryCode } }));
	expect([detailOptions.countryCode, problem]).toEqual([read, undefined]);
});
