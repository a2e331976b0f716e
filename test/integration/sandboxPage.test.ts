import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';

import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { until } from '../../sandbox/stack/until';
import { firstState, signIn } from '../support/sandboxPage';
import { begin, hook, onlyDelivery, receiver, sandbox, useSandbox } from '../support/sandboxSetup';

useSandbox();

describe('the page', () => {
	const subscribe = () => sandbox.addEndpoint({ url: `${hook}?token=secret` });

	it('requires a session', async () => {
		await begin();
		const routes = { states: 'GET', events: 'POST', 'deliveries/msg_1/again': 'POST' };
		for (const [route, method] of Object.entries(routes)) {
			expect((await fetch(`${sandbox.pageUrl}sandbox/${route}`, { method })).status).toBe(401);
		}
	});

	it('shows deliveries without callback tokens and signatures', async () => {
		await begin({ dialect: { signature: 'standard-webhooks' } });
		const endpoint = subscribe();
		const { id } = sandbox.emit('call.completed');
		await sandbox.settled();
		const { headers, body } = onlyDelivery();
		const { endpoints, attempts } = await shownOnPage();
		expect(endpoints).toMatchObject([{ id: endpoint, url: `${hook}?***` }]);
		expect(attempts).toMatchObject([
			{
				event_id: id,
				response_status: 200,
				response_body: 'answer to POST',
				headers: {
					'content-type': 'application/json',
					'webhook-id': headers['webhook-id'],
					'webhook-signature': '(hidden)',
				},
				body,
			},
		]);
		expect(JSON.stringify(await shownOnPage())).not.toMatch(/token=secret|v1,/);
	});

	it.each([
		['inbound', { direction: 'inbound', from: '+14155550123', to: '+14155550100' }, 'found'],
		['outbound', { direction: 'outbound', from: '+14155550100', to: '+14155550123' }, 'found'],
		['withheld', { direction: 'inbound', from: 'anonymous', to: '+14155550100' }, 'withheld'],
		['web', { direction: 'inbound', channel: 'web' }, 'web'],
	])('simulates a call of the kind %s', async (kind, sides, person) => {
		await begin();
		subscribe();
		const customer = { name: 'Ada', phone: '+14155550123' };
		await askPage('events', { type: 'call.completed', kind, customer });
		await sandbox.settled();
		const body = JSON.parse(onlyDelivery().body) as { data: IDataObject };
		expect(body.data).toMatchObject(sides);
		expect(readCallDetails(body)).toMatchObject({
			person,
			direction: sides.direction,
			customer: { phone: person === 'found' ? customer.phone : null },
		});
	});

	it('repeats a delivery: the same event, under the same delivery id', async () => {
		await begin();
		subscribe();
		const [id] = sandbox.emit('call.completed').deliveries;
		await sandbox.settled();
		await askPage(`deliveries/${id}/again`);
		await sandbox.settled();
		const [first, second, ...others] = receiver.delivered;
		expect(others).toEqual([]);
		expect(second?.body).toBe(first?.body);
		expect(second?.headers['x-delivery-id']).toBe(id);
		expect((await shownOnPage()).attempts).toMatchObject([
			{ delivery_id: id, attempt: 2, status: 'delivered' },
			{ delivery_id: id, attempt: 1, status: 'delivered' },
		]);
	});

	it('ends waiting retries if a delivery by hand succeeds', async () => {
		await begin({ retryScale: 1000 });
		subscribe();
		receiver.statuses = [500];
		const [id] = sandbox.emit('call.completed').deliveries;
		await until('the first attempt to fail', 5, async () => {
			const { attempts } = await shownOnPage();
			return attempts[0]?.status === 'failed';
		});
		await askPage(`deliveries/${id}/again`);
		await sandbox.settled();
		expect(receiver.delivered).toHaveLength(2);
	});
});

/** The first state of a page that is opened now. */
const shownOnPage = async () =>
	JSON.parse(await firstState(sandbox.pageUrl)) as {
		endpoints: object[];
		attempts: Array<Record<string, unknown>>;
	};

/** Posts as the page does. */
async function askPage(route: string, body?: object): Promise<void> {
	await axios.post(`${sandbox.pageUrl}sandbox/${route}`, body, {
		headers: await signIn(sandbox.pageUrl),
	});
}
