import type { IDataObject } from 'n8n-workflow';

import {
	call,
	logAttempt,
	logOf,
	pass,
	publishOften,
	service,
	usePolling,
} from '../support/publishing/catchUpSetup';

usePolling();

const SAID =
	'Customer Phone was found in 96 of 100 calls, and in none of the last 20. Did the service rename a field? Compare the events of the last executions with earlier ones, and choose the new field in Options → Call Details Mapping.';

let logged = 0;

/** Logs calls that arrived, a minute apart. @param more fields of each call */
function logCalls(count: number, more: (at: number) => IDataObject = () => ({})): void {
	for (let at = 0; at < count; at++) {
		pass(1);
		const id = `c${logged++}`;
		logAttempt(id, { status: 'delivered', response_status: 200, payload: call(id, more(at)) });
	}
}

const renamed = () => ({ from: undefined, anrufer: '+14155550100' });
/** Each of 25 calls lacks the number. */
const mostly = (at: number) => (at % 25 === 0 ? renamed() : {});

test('a renamed field is reported once a day, without a request more', async () => {
	const trigger = await publishOften();
	logCalls(20);
	await trigger.poll();
	service.requests.length = 0;
	expect(await trigger.poll()).toEqual([]);
	const [list, log, ...others] = service.requests;
	expect([list, log]).toEqual(['GET /webhooks', expect.stringContaining('/deliveries')]);
	expect(others).toEqual([]);
	logCalls(80, mostly);
	logCalls(19, renamed);
	expect(await trigger.poll()).toEqual([]);
	logCalls(1, renamed);
	service.requests.length = 0;
	expect(await trigger.poll()).toEqual([SAID]);
	expect(service.requests).toEqual([list, log, log]);
	logCalls(1, renamed);
	expect(await trigger.poll()).toEqual([]);
	pass(24 * 60);
	expect(await trigger.poll()).toEqual([expect.stringContaining('Customer Phone')]);
});

test('a log that shows a few calls at once is watched over several readings', async () => {
	const trigger = await publishOften();
	const said: string[] = [];
	for (let reading = 0; reading < 12; reading++) {
		logCalls(10, reading < 10 ? undefined : renamed);
		logOf().splice(15);
		said.push(...(await trigger.poll()));
	}
	expect(said.filter((text) => text.includes('was found'))).toEqual([SAID.replace('96', '100')]);
});

test('a mapped detail is watched, until the next publish', async () => {
	const mapped = (path: string) => ({
		options: { callDetailsMapping: { fields: [{ detail: 'recordingUrl', path }] } },
	});
	const trigger = await publishOften(mapped('data.band'));
	logCalls(100, (at) => ({ band: `https://voice.example/${at}.mp3` }));
	logCalls(20, () => ({ tape: 'https://voice.example/1.mp3' }));
	expect(await trigger.poll()).toEqual([
		expect.stringMatching(/^Recording URL was found in 100 of 100 calls/),
	]);
	pass(24 * 60);
	await trigger.lifecycle.publish({ ...trigger.node.parameters, ...mapped('data.tape') });
	expect([...(await trigger.poll()), ...(await trigger.poll())]).toEqual([]);
});

test.each<[string, () => void]>([
	['is rare', () => logCalls(120, (at) => (at < 100 && at % 2 ? {} : renamed()))],
	[
		'is missing in few calls',
		() => {
			logCalls(99);
			logCalls(20, renamed);
		},
	],
	[
		'is hidden by the callers',
		() => {
			logCalls(100);
			logCalls(20, () => ({ from: 'anonymous' }));
		},
	],
	[
		'is missing in events of another type',
		() => {
			logCalls(100);
			for (let at = 0; at < 20; at++) {
				pass(1);
				const payload = { type: 'call.started', data: { call_id: `s${at}` } };
				const arrived = { status: 'delivered', response_status: 200 };
				logAttempt(`s${at}`, { ...arrived, event_type: 'call.started', payload });
			}
		},
	],
])('a number that %s is not reported', async (_what, log) => {
	const trigger = await publishOften({ events: ['call.completed', 'call.started'] });
	log();
	expect([...(await trigger.poll()), ...(await trigger.poll())]).toEqual([]);
});
