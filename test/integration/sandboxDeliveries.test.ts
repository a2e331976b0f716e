import { createHmac } from 'node:crypto';

import { Webhook } from 'standardwebhooks';

import {
	api,
	begin,
	created,
	hook,
	onlyDelivery,
	receiver,
	sandbox,
	speak,
	useSandbox,
} from '../support/sandboxScene';

useSandbox();

describe('deliveries', () => {
	it('go to those who subscribed, with what a CRM needs', async () => {
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

	it('are tried again until a 2xx comes, under one delivery id', async () => {
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

	it('end after ten tries, or one, as the schedule says', async () => {
		await begin({ retryScale: 0 });
		const id = sandbox.addEndpoint({ url: 'https://127.0.0.1:1/' });
		sandbox.emit('call.completed');
		await sandbox.settled();
		expect(sandbox.deliveriesOf(id)).toHaveLength(10);
		expect(sandbox.deliveriesOf(id)[0]?.error).toContain('ECONNREFUSED');
		await sandbox.stop();

		await speak({ retrySchedule: 'once' });
		const once = sandbox.addEndpoint({ url: 'https://127.0.0.1:1/' });
		sandbox.emit('call.completed');
		await sandbox.settled();
		expect(sandbox.deliveriesOf(once)).toHaveLength(1);
	});

	it('end when the endpoint is removed, or the sandbox stops', async () => {
		await begin({ retryScale: 100 });
		const removed = sandbox.addEndpoint({ url: 'https://127.0.0.1:1/' });
		const kept = sandbox.addEndpoint({ url: 'https://127.0.0.1:1/' });
		sandbox.emit('call.completed');
		sandbox.removeEndpoint(removed);
		await sandbox.stop();
		await sandbox.settled();
		expect(sandbox.deliveriesOf(removed).length).toBeLessThan(2);
		expect(sandbox.deliveriesOf(kept).length).toBeLessThan(2);
	});

	it('are refused to a certificate that is not trusted', async () => {
		await begin({ ca: undefined, dialect: { retrySchedule: 'once' } });
		const id = sandbox.addEndpoint({ url: hook });
		sandbox.emit('call.completed');
		await sandbox.settled();
		expect(receiver.delivered).toEqual([]);
		expect(sandbox.deliveriesOf(id)[0]?.error).toContain('certificate');
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

describe('signatures', () => {
	it('by Standard Webhooks verify with the secret of the creation, and no other', async () => {
		await speak({ signature: 'standard-webhooks' });
		const { secret } = await created({ url: hook });
		sandbox.emit('call.completed');
		await sandbox.settled();
		const { body, headers } = onlyDelivery();
		const seen = headers as Record<string, string>;
		expect(new Webhook(secret).verify(body, seen)).toMatchObject({ type: 'call.completed' });
		expect(() => new Webhook(Buffer.from('other')).verify(body, seen)).toThrow();
		expect(headers['webhook-id']).toBe(headers['x-delivery-id']);
		expect(JSON.stringify((await api.get('/webhooks')).data)).not.toContain(secret);
	});

	it('by the older names of the same headers verify likewise', async () => {
		await speak({ signature: 'svix' });
		const { signing_key } = await created({ url: hook });
		sandbox.emit('call.completed');
		await sandbox.settled();
		const { body, headers } = onlyDelivery();
		const named = Object.entries(headers).map(([name, value]) => [
			name.replace('svix-', 'webhook-'),
			value,
		]);
		const seen = Object.fromEntries(named) as Record<string, string>;
		expect(new Webhook(signing_key).verify(body, seen)).toMatchObject({ type: 'call.completed' });
	});

	it('with a time are of both', async () => {
		await speak({ signature: 'timestamped' });
		sandbox.addEndpoint({ url: hook });
		sandbox.emit('call.completed');
		await sandbox.settled();
		const { body, headers } = onlyDelivery();
		const [, time, signature] = /^t=(\d+),v1=(.+)$/.exec(String(headers['x-signature'])) ?? [];
		const hmac = createHmac('sha256', sandbox.signingSecret).update(`${time}.${body}`);
		expect(signature).toBe(hmac.digest('hex'));
		expect(Math.abs(Date.now() / 1000 - Number(time))).toBeLessThan(60);
	});

	it.each([
		['hmac-hex', 'hex', 'sha256='],
		['hmac-base64', 'base64', ''],
	] as const)("by %s are the raw body's", async (signature, encoding, prefix) => {
		await speak({ signature });
		sandbox.addEndpoint({ url: hook });
		sandbox.emit('call.completed');
		await sandbox.settled();
		const { body, headers } = onlyDelivery();
		const digest = createHmac('sha256', sandbox.signingSecret).update(body).digest(encoding);
		expect(headers['x-signature']).toBe(prefix + digest);
	});
});
