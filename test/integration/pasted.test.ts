import { createHmac } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import { NodeInWorkflow } from '../support/n8n/core';
import {
	begin,
	CALL,
	post,
	receiver,
	registeredUrl,
	REFUSED,
	sandbox,
	useReceiver,
} from '../support/n8n/receiveSetup';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

useReceiver();

const SECRET = 's3cret of the service';
const WEBHOOK_CREDENTIAL = { voiceAgentWebhookApi: { id: '7', name: 'Webhook' } };

type Pasted = NodeInWorkflow<{ secret?: string }>;

/** Publishes a trigger whose webhook is pasted, without a credential if there is no secret. */
async function paste(parameters: INodeParameters = {}, secret?: string): Promise<Pasted> {
	const trigger: Pasted = await NodeInWorkflow.create('voiceAgentTrigger', {
		parameters: { registration: 'manual', output: 'event', ...parameters },
		credential: { secret },
		webhookBase: receiver.base,
	});
	trigger.settings = { credentials: secret === undefined ? {} : WEBHOOK_CREDENTIAL };
	await trigger.publish();
	receiver.open(trigger);
	return trigger;
}

// Promise: A trigger with a pasted webhook needs no credential, sends no request and stores nothing.
test('a pasted webhook is published, polled, called and unpublished without a credential or a stored state', async () => {
	const trigger = await paste();
	const activation = trigger.activation(
		'activate',
		async (items) => await Promise.resolve(items),
		async () => await Promise.resolve(),
	);
	expect(await activation.poll()).toEqual([]);
	expect(await post(trigger.webhookUrl())).toMatchObject({ status: 200, items: [CALL] });
	expect(await trigger.call('delete')).toBe(true);
	expect(trigger.staticData).toEqual({});
});

test('what is set for a created webhook counts for no pasted one, and equal deliveries run once', async () => {
	const options = { verifySignature: true, testEvent: 'latest', catchUp: true };
	const trigger = await paste({ events: ['call.completed'], options });
	const event = { ...CALL, type: 'call.moved', id: 'evt_2' };
	expect((await post(trigger.webhookUrl(), event)).items).toEqual([event]);
	const repeated = { status: 200, answer: { ignored: 'duplicate' }, items: [] };
	expect(await post(trigger.webhookUrl(), event)).toEqual(repeated);
});

// Promise: What can't be read of the options fails the publish, and no start of n8n.
test('a pasted webhook is not published with a wrong country code, and a start of n8n keeps it', async () => {
	const trigger = await paste();
	trigger.parameters = { ...trigger.parameters, options: { countryCode: '49' } };
	await expect(trigger.publish()).rejects.toThrow("'Country Code' can't be read: 49");
	expect(await trigger.call('checkExists', false, 'init')).toBe(true);
});

describe('with a secret', () => {
	const bodyOf = JSON.stringify(CALL);
	const signed = (secret: string) => createHmac('sha256', secret).update(bodyOf).digest('hex');

	// Promise: A delivery without the secret of its webhook starts nothing.
	test.each<[string, Record<string, string>, number]>([
		['in a header', { 'x-vapi-secret': SECRET }, 200],
		['as a bearer token', { authorization: `Bearer ${SECRET}` }, 200],
		['as a signature', { 'x-signature': `sha256=${signed(SECRET)}` }, 200],
		['missing', {}, 401],
		['other', { 'x-vapi-secret': `${SECRET}.` }, 401],
		['shortened', { authorization: `Bearer ${SECRET.slice(0, -1)}` }, 401],
		['within a longer value', { 'x-vapi-secret': `key ${SECRET}` }, 401],
		["another key's signature", { 'x-signature': signed('other') }, 401],
	])('that is %s, %j is answered %s', async (_name, headers, status) => {
		const trigger = await paste({ options: { deliveryDetails: true } }, SECRET);
		const answer = await post(trigger.webhookUrl(), CALL, headers);
		expect(answer).toMatchObject(status === 200 ? { status } : { status, answer: REFUSED });
		expect(answer.items).toHaveLength(status === 200 ? 1 : 0);
	});

	test.each(['', ' '])('an empty one (%j) refuses every delivery', async (secret) => {
		const trigger = await paste({}, secret);
		const headers = { authorization: 'Bearer ', 'x-secret': secret, 'x-signature': signed('') };
		expect((await post(trigger.webhookUrl(), CALL, headers)).status).toBe(401);
	});

	test('a challenge is answered, and no event shows the secret', async () => {
		const trigger = await paste({}, SECRET);
		const url = trigger.webhookUrl();
		expect(await post(url, { challenge: 'c-2' })).toMatchObject({ answer: { challenge: 'c-2' } });
		const { items } = await post(url, { ...CALL, echo: SECRET }, { 'x-key': SECRET });
		expect(items).toMatchObject([{ echo: '***' }]);
	});
});

describe('Execute step', () => {
	/** Executes the step with an event, and loads the list of the mapping. */
	async function listAfter(number: string, secret?: string) {
		const trigger = await paste({ eventNames: 'call_ended' }, secret);
		receiver.open(trigger, 'manual');
		const event = { event: 'call_ended', id: 'e', data: { anrufer: { nummer: number } } };
		const { items } = await post(trigger.webhookUrl(true), event, { 'x-key': secret ?? '' });
		expect(items).toEqual([event]);
		const fields = [{ detail: 'customer.phone', path: '' }];
		trigger.parameters = { ...trigger.parameters, options: { callDetailsMapping: { fields } } };
		const path = 'parameters.options.callDetailsMapping.fields[0].path';
		return await trigger.loadOptions('getEventFields', path);
	}

	test('waits for a real event, whose fields the list of the mapping has', async () => {
		const [value, number] = ['data.anrufer.nummer', '030 23125014'];
		expect(await listAfter(number, SECRET)).toContainEqual({ name: `${value}: ${number}`, value });
	});

	// Promise: A person sees no value of another person's pasted webhook.
	test('without a credential, the list has no values', async () => {
		const entries = await listAfter('030 23125015');
		expect(entries).toContainEqual({ name: 'data.anrufer.nummer', value: 'data.anrufer.nummer' });
		expect(JSON.stringify(entries)).not.toContain('2312501');
	});
});

test('the names of events are offered as outputs', async () => {
	const trigger = await paste({ eventNames: ' call_ended,call_analyzed , ' });
	const value = 'call_ended, call_analyzed, Other';
	expect(await trigger.listSearch('getOutputs')).toEqual([{ name: value, value }]);
});

// Promise: A switch to a pasted webhook removes the created one.
test('switched to a pasted webhook, the trigger removes its own one at the next publish; switched back, it registers', async () => {
	await begin();
	const created = { events: ['call.completed'], output: 'event' };
	const trigger = await NodeInWorkflow.create('voiceAgentTrigger', {
		parameters: created,
		credential: sandbox.credential,
		webhookBase: receiver.base,
	});
	await trigger.publish();
	receiver.open(trigger);
	// n8n calls `delete` with the parameters that were published before.
	await trigger.call('delete');
	trigger.parameters = { registration: 'manual', output: 'event' };
	trigger.settings = { credentials: {} };
	await trigger.publish();
	expect(sandbox.endpoints()).toEqual([]);
	expect((await post(trigger.webhookUrl())).items).toEqual([CALL]);
	await trigger.call('delete');
	Object.assign(trigger, { parameters: created, settings: {} });
	await trigger.publish();
	expect(sandbox.endpoints()).toHaveLength(1);
	expect((await post(registeredUrl(), { ...CALL, id: 'evt_2' })).items).toHaveLength(1);
	expect((await post(trigger.webhookUrl())).status).toBe(401);
});
