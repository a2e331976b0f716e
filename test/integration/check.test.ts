import { namedDialects } from '../../sandbox/dialects';
import { CALL, TOKEN, useChecks } from '../support/running/checkSetup';

const setup = useChecks();

describe.each(Object.entries(namedDialects))('a service that is %s', (_name, dialect) => {
	// Promise: Check reports what is wrong with each webhook.
	test('reports the problem of each webhook', async () => {
		await setup.begin(dialect);
		const replaced = await setup.publish();
		const published = setup.sandbox.endpoints()[0]!.url;
		setup.sandbox.removeEndpoint(replaced);
		const working = await setup.publish();
		const add = (url: string, events = CALL) => setup.sandbox.addEndpoint({ url, events });
		const faults: Array<[id: string, what: RegExp]> = [
			[add('https://127.0.0.1:1/hooks'), /connection to this URL fails/],
			[add(`${setup.untrusted.base}webhook/1/webhook?${TOKEN}`), /doesn't accept the certificate/],
			// A token that the list shows is valid, so this token is another.
			[add(published.replace(/=.*/, '=cut')), /rejected.*status 401/],
			[add(`${setup.receiver.base}webhook/gone/webhook?${TOKEN}`), /Nothing is at this URL/],
			[add(`${setup.busyUrl}starting/webhook?${TOKEN}`), /lost an event .* while it was starting/],
			[add(`${setup.busyUrl}failing/webhook?${TOKEN}`), /failed \(status 500\)/],
		];
		const disabled = add(`${setup.busyUrl}well/webhook?${TOKEN}`);
		setup.sandbox.disableEndpoint(disabled, { status: 'disabled' });
		const begun = Date.now();
		setup.sandbox.emit('call.completed');
		await setup.delivered([working, ...faults.map(([id]) => id)]);

		const items = await setup.check();
		const itemOf = (id: string) => items.find((item) => item.id === id)!;
		expect(items).toHaveLength(setup.sandbox.endpoints().length);
		for (const [id, what] of faults) {
			const { ok, problems, summary, failed } = itemOf(id);
			expect(ok).toBe(false);
			expect(problems).toEqual([
				{
					what: expect.stringMatching(what) as string,
					toDo: expect.any(String) as string,
					since: expect.any(String) as string,
				},
			]);
			expect(Date.parse(problems[0]!.since!)).toBeGreaterThanOrEqual(begun - 1);
			expect(summary).toContain(problems[0]!.toDo);
			const inTokyo = new Date(Date.parse(problems[0]!.since!) + 9 * 60 * 60_000).toISOString();
			expect(summary).toContain(`, ${inTokyo.slice(11, 16)} (Asia/Tokyo). `);
			expect(failed).toBeGreaterThan(0);
		}
		const idsOf = (list: typeof items) => list.map(({ id }) => id);
		const withProblem = idsOf(items.filter(({ ok }) => ok === false));
		expect(idsOf(await setup.check({ onlyProblems: true }))).toEqual(withProblem);
		const webhookId = { mode: 'id', value: working };
		const one = { allWebhooks: false, webhookId, onlyProblems: true };
		expect(await setup.check(one)).toEqual([]);
		expect(itemOf(working)).toMatchObject({ ok: true, problems: [], doubts: [], failed: 0 });
		expect(itemOf(disabled)).toMatchObject({ ok: false, logged: 0, lastDelivery: null });
		expect(itemOf(disabled).summary).toMatch(/lists this webhook as disabled/);
		expect(JSON.stringify(items)).not.toMatch(/voice_agent_token=[^*]/);
		expect(
			setup.sandbox.requests.slice(-2 - items.length).map(({ method }) => method),
		).not.toContain('POST');
	}, 60_000);

	test('shows by a test event whether deliveries to a webhook arrive', async () => {
		await setup.begin({ ...dialect, retrySchedule: 'once' });
		const working = await setup.publish();
		const arrived = await setup.checkOne(working, { sendSample: true });
		// n8n ignores a ping, so it does not show if an event would start the workflow.
		const [received] = setup.receiver.received.slice(-1);
		const ok = received!.items.length > 0 || null;
		expect(arrived).toMatchObject({ id: working, ok, sampleArrived: true, logged: 1 });
		expect(await setup.checkOne(working)).toMatchObject({ ok, sampleArrived: null, logged: 1 });

		setup.receiver.close();
		const lost = await setup.checkOne(working, { sendSample: true });
		expect(lost).toMatchObject({ ok: false, sampleArrived: false, logged: 2, failed: 1 });
		expect(lost.problems[0]?.what).toContain('status 404');
	}, 60_000);
});

describe('a test event', () => {
	test('is not confused with the resend of an earlier event', async () => {
		await setup.begin();
		const id = setup.sandbox.addEndpoint({
			url: `${setup.busyUrl}failing/webhook`,
			events: CALL,
		});
		setup.sandbox.emit('call.completed');
		await setup.delivered([id]);
		setup.sandbox.fault = ({ path }) =>
			path.endsWith('/test') ? { kind: 'status', status: 204 } : undefined;
		const { sampleArrived, doubts } = await setup.checkOne(id, { sendSample: true });
		expect(sampleArrived).toBeNull();
		expect(doubts.at(-1)?.what).toContain('the log does not show whether it arrived');
	}, 60_000);

	test('causes a doubt if the service does not send it', async () => {
		await setup.begin();
		const id = await setup.publish();
		setup.sandbox.emit('call.completed');
		await setup.delivered([id]);
		const body = { error: { message: 'No samples today' } };
		setup.sandbox.fault = ({ method }) =>
			method === 'POST' ? { kind: 'status', status: 400, body } : undefined;
		const { ok, sampleArrived, doubts } = await setup.checkOne(id, { sendSample: true });
		expect({ ok, sampleArrived }).toEqual({ ok: null, sampleArrived: null });
		expect(doubts[0]?.what).toMatch(/did not send a test event: .*No samples today/);
	});

	// Promise: Check sends a test event only for one chosen webhook.
	test('is sent neither for all webhooks nor by an AI agent', async () => {
		await setup.begin();
		const id = await setup.publish();
		await setup.check({ allWebhooks: true, sendSample: true });
		const one = { allWebhooks: false, webhookId: { mode: 'id', value: id } };
		const [item] = await setup.check({ ...one, sendSample: true }, 'voiceAgentTool');
		expect(item).toMatchObject({ id, ok: null, sampleArrived: null });
		expect(setup.sandbox.requests.some(({ path }) => path.endsWith('/test'))).toBe(false);
	});
});
