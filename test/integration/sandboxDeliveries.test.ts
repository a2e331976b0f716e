import { api, begin, created, hook, receiver, sandbox, useSandbox } from '../support/sandboxSetup';

useSandbox();

test('deliveries are repeated until a 2xx comes, under one delivery id', async () => {
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
