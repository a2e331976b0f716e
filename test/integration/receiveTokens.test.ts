import { randomUUID } from 'node:crypto';

import { bindingOfResults, makeToken, RESULTS_HEADER } from '../../nodes/VoiceAgent/auth/token';
import {
	begin,
	CALL,
	post as postBody,
	publish,
	REFUSED,
	registeredUrl,
	rightToken,
	sandbox,
	trigger,
	useReceiver,
	withToken,
} from '../support/n8n/receiveSetup';
import { loadInProcess } from '../support/n8n/nodePackage';

// The waits between the node's attempts pass at once.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

const OTHER_TOKEN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_';

/** Posts an event of its own each time. */
const post = async (url: string) => await postBody(url, CALL, { 'x-acme-delivery': randomUUID() });

useReceiver();

describe('the callback token', () => {
	// Promise: A request without the right token gets 401 and starts nothing.
	test.each<[string, () => string]>([
		['no token', () => trigger.webhookUrl()],
		['an empty token', () => withToken('')],
		['an unknown token', () => withToken(OTHER_TOKEN)],
		['a masked token', () => withToken('***')],
		['a shortened token', () => withToken(rightToken().slice(1))],
		['the valid token twice', () => withToken(rightToken(), rightToken())],
		['the valid token and another', () => withToken(rightToken(), OTHER_TOKEN)],
		['the valid token as an array', () => registeredUrl().replace('token=', 'token[]=')],
		[
			'the valid token in another parameter',
			() => registeredUrl().replace('voice_agent_token', 'token'),
		],
		['a token of 8,000 characters', () => withToken('a'.repeat(8_000))],
	])('%s gets 401 without a request to the service', async (_name, url) => {
		await publish();
		const before = sandbox.requests.length;
		expect(await post(url())).toEqual({ status: 401, answer: REFUSED, items: [] });
		expect(sandbox.requests).toHaveLength(before);
	});

	test('the valid token starts the workflow, also among other parameters', async () => {
		await publish();
		expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
		expect(await post(`${registeredUrl()}&a=1`)).toMatchObject({ status: 200, items: [CALL] });
	});
});

describe('a registered token', () => {
	/** Gives the credential a new API key, with which no earlier token was made. */
	const rotate = () => {
		trigger.credential = {
			...trigger.credential,
			apiKey: sandbox.createKey('New', ['workspace:admin']),
		};
	};

	// Promise: A token is valid while n8n has stored nothing, or has lost it.
	test.each(['asSent', 'masked', 'dropped'] as const)(
		'is valid without static data, and without a request to the service (list: %s)',
		async (listedUrl) => {
			await publish({}, { listedUrl });
			trigger.staticData = {};
			const before = sandbox.requests.length;
			expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
			// n8n may be about to store the static data of `create`.
			expect(trigger.staticData).toEqual({});
			expect(sandbox.requests).toHaveLength(before);
		},
	);

	// Promise: A rotated API key stops no delivery.
	test('is valid after the API key was rotated, and the credential is not read', async () => {
		await publish();
		rotate();
		expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
		trigger.credential = { ...trigger.credential, apiKey: '' };
		expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
	});

	test.each([
		['is valid after the next create, for attempts under way', false, 200],
		['that the service has removed gets 401 after the next create', true, 401],
	])('of the previous endpoint %s', async (_what, isRemoved, status) => {
		await publish();
		const old = registeredUrl();
		rotate();
		if (isRemoved) sandbox.removeEndpoint(sandbox.endpoints()[0]!.id);
		trigger.parameters = { ...trigger.parameters, events: ['call.completed', 'call.started'] };
		await trigger.call('delete');
		await trigger.publish();
		expect(await post(old)).toMatchObject({ status, items: status === 200 ? [CALL] : [] });
		expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
	});

	test('of an endpoint in another workspace gets 401 after the next create', async () => {
		await publish();
		const old = registeredUrl();
		const first = sandbox;
		await begin();
		// Another credential, or the same one edited in place.
		trigger.credential = sandbox.credential;
		await trigger.publish();
		expect(await post(old)).toMatchObject({ status: 401, items: [] });
		expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
		await first.stop();
	});

	// Promise: A token that can be neither confirmed nor rejected gets 503.
	// Promise: A delivery that can not be judged gets 503, so that the service sends it again.
	test('without static data is valid after a rotation in the process of the publish, and gets 503 in another', async () => {
		await publish();
		rotate();
		trigger.staticData = {};
		expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
		trigger.types = await loadInProcess(1);
		const answer = { message: expect.stringContaining('Send it again later') as string };
		const refused = { status: 503, answer, items: [] };
		expect(await post(registeredUrl())).toEqual(refused);
		trigger.credential = { ...trigger.credential, apiKey: '' };
		expect(await post(registeredUrl())).toEqual(refused);
		expect(trigger.staticData).toEqual({});
	});
});

test('results with the proof of another API key are a delivery, and store nothing', async () => {
	await publish();
	const results = { settled: [{ type: null, ids: ['evt_1'], time: Date.now() }] };
	const proof = makeToken('svc_live_another', bindingOfResults(JSON.stringify(results)));
	const answer = await postBody(registeredUrl(), results, { [RESULTS_HEADER]: proof });
	expect(answer).toMatchObject({ status: 200, items: [results] });
	expect(trigger.staticData).not.toHaveProperty('settled');
});
