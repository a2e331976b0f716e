import { api, begin, created, hook, receiver, sandbox, useSandbox } from '../support/sandboxSetup';

useSandbox();

describe('deliveries', () => {
	it('go to the subscribed endpoints, with the fields that a CRM needs', async () => {
		await begin();
		await created({ url: `${hook}/all` });
		await created({ url: `${hook}/completed`, events: ['call.completed'] });
		await created({ url: `${hook}/chats`, events: ['chat.started'] });
		const { id, deliveries } = sandbox.emit('call.completed');
		await sandbox.settled();

		expect(receiver.delivered.map(({ path }) => path).sort()).toEqual([
			'/hook/all',
			'/hook/completed',
		]);
		expect(receiver.delivered.map(({ headers }) => headers['x-delivery-id']).sort()).toEqual(
			[...deliveries].sort(),
		);
		const anyText = expect.any(String) as string;
		expect(JSON.parse(receiver.delivered[0]?.body ?? '')).toMatchObject({
			id,
			type: 'call.completed',
			created_at: anyText,
			data: {
				call_id: anyText,
				from: anyText,
				agent: { id: anyText, name: anyText },
				duration_seconds: 184,
				outcome: anyText,
				summary: anyText,
				customer: { name: anyText, email: anyText, phone: anyText },
			},
		});
	});

	it('are repeated until a 2xx comes, under one delivery id', async () => {
		await begin();
		const { id } = await created({ url: `${hook}?token=secret` });
		receiver.statuses = [500, 401, 302, 204];
		const { deliveries } = sandbox.emit('call.failed', { reason: 'busy' });
		await sandbox.settled();

		expect(receiver.delivered.map(({ headers }) => headers['x-delivery-id'])).toEqual(
			Array(4).fill(deliveries[0]),
		);
		const log = await api.get<{ data: object[] }>(`/webhooks/${id}/deliveries`);
		expect(log.data.data).toMatchObject([
			{ attempt: 4, status: 'delivered', response_status: 204, next_attempt_at: null },
			{ attempt: 3, status: 'failed', response_status: 302 },
			{ attempt: 2, status: 'failed', response_status: 401 },
			{ attempt: 1, status: 'failed', response_status: 500, response_body: 'answer to POST' },
		]);
		expect(JSON.stringify(log.data)).not.toContain('secret');
	});

	it('of a sample are made once', async () => {
		await begin();
		receiver.statuses = [500];
		const { id } = await created({ url: hook, events: ['chat.started'] });
		expect((await api.post(`/webhooks/${id}/test`)).status).toBe(204);
		expect(sandbox.deliveriesOf(id)).toMatchObject([
			{ event_type: 'chat.started', status: 'failed', next_attempt_at: null },
		]);
	});
});
