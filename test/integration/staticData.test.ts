import {
	FOREIGN,
	ownEndpoints,
	requestsOf,
	script,
	service,
	trigger,
	useTrigger,
} from '../support/n8n/triggerSetup';

// The node's waits pass at once, and its clock jumps by their length.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/skippedWaits'));

useTrigger();

test('the static data holds a signing secret only while signatures are verified', async () => {
	script({ created: (endpoint) => ({ body: { ...endpoint, secret: 'whsec_c2VjcmV0IG9mIDE2' } }) });
	await trigger.publish();
	expect(JSON.stringify(trigger.staticData)).not.toContain('whsec_');
	const { parameters } = trigger;
	trigger.parameters = { ...parameters, options: { verifySignature: true } };
	await trigger.call('delete');
	await trigger.publish();
	expect(JSON.stringify(trigger.staticData)).toContain('whsec_c2VjcmV0IG9mIDE2');
	trigger.parameters = parameters;
	expect(await trigger.call('checkExists')).toBe(true);
	expect(JSON.stringify(trigger.staticData)).not.toContain('whsec_');
});

// Promise: After a confirmed removal, the next publish sends its POST first.
test('the static data lets the next publish after an unpublish begin with its POST', async () => {
	await trigger.publish();
	await trigger.call('delete');
	const requests = await requestsOf(async () => await trigger.publish());
	expect(requests[0]).toBe('POST /webhooks');
	expect(requests).toHaveLength(3);
});

test('the static data keeps an endpoint whose removal is unproved when another endpoint is adopted', async () => {
	await trigger.publish();
	const old = { id: 'wh_old', url: 'https://old.example.com/webhook/1/webhook' };
	trigger.staticData.endpoints = [old, ...(trigger.staticData.endpoints as object[])];
	expect(await trigger.call('checkExists')).toBe(true);
	expect(trigger.staticData.endpoints).toContainEqual(old);
});

test('the static data identifies the own endpoint after the address of n8n has changed, also if its removal is refused once', async () => {
	await trigger.publish();
	const { url } = ownEndpoints()[0]!;
	// An endpoint with the previous URL and another ID may belong to another n8n.
	service.endpoints.push({ ...FOREIGN, id: 'twice', url });
	trigger.webhookBase = 'https://n8n.example.com/n8n/';
	let refusals = 1;
	script({ remove: () => (refusals-- > 0 ? { status: 409 } : undefined) });
	await trigger.publish();
	expect(ownEndpoints()).toMatchObject([
		{ id: 'twice' },
		{ url: expect.stringContaining(trigger.webhookBase) as string },
	]);
	await trigger.call('delete');
	expect(ownEndpoints()).toMatchObject([{ id: 'twice', url }]);
});
