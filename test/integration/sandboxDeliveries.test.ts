import { api, begin, created, hook, receiver, sandbox, useSandbox } from '../support/sandboxSetup';

useSandbox();

describe('deliveries', () => {
	it('go to the subscribed endpoints', async () => {
		await begin();
		await created({ url: `${hook}/all` });
		await created({ url: `${hook}/completed`, events: ['call.completed'] });
		await created({ url: `${hook}/chats`, events: ['chat.started'] });
		const { id, deliveries } = sandbox.emit('call.completed');
		await sandbox.settled();

		const delivered = receiver.delivered.map(({ path, headers }) => [
			path,
			headers['x-delivery-id'],
		]);
		expect(delivered.sort()).toEqual([
			['/hook/all', deliveries[0]],
			['/hook/completed', deliveries[1]],
		]);
		expect(JSON.parse(receiver.delivered[0]?.body ?? '')).toMatchObject({
			id,
			type: 'call.completed',
			data: { call_id: expect.any(String) as string, customer: { phone: '+14155550123' } },
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
