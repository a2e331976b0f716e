import type { INodeParameters } from 'n8n-workflow';

import {
	byId,
	failureOf,
	LIST_WEBHOOKS,
	run,
	serve,
	useFailures,
} from '../support/service/failures';

// The waits between the node's attempts pass at once.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

useFailures();

const READS: INodeParameters[] = [
	LIST_WEBHOOKS,
	{ resource: 'apiKey', operation: 'getAll', returnAll: true },
	{ resource: 'webhook', operation: 'getEventTypes' },
	{
		resource: 'webhook',
		operation: 'getDeliveries',
		allWebhooks: false,
		webhookId: byId('1'),
		returnAll: true,
	},
	{ resource: 'webhook', operation: 'create', url: 'https://a.example/' },
	{ resource: 'apiKey', operation: 'create', name: 'A', scopes: [] },
];

// Promise: An answer that is not readable is an error that shows what came.
test.each([
	['a web page', '<!doctype html><p>Shop', 'a web page came instead of data', '<p>Shop'],
	['a cut answer', '{"data": [{"id', 'cannot be read', 'begins with: {"data": [{"id'],
	['nothing', '', 'cannot be read', 'The answer is empty'],
	['another object', '{"status": "ok"}', 'cannot be read', 'begins with: {"status": "ok"}'],
	['an error', '{"error": "No such shop"}', 'refused the request (status 200', 'No such shop'],
])('an unreadable answer is shown from its beginning: %s', async (_name, text, happened, shown) => {
	const baseUrl = await serve((_request, response) => response.end(text));
	for (const parameters of READS) {
		// The answer to the creation of a key is the node's output, because it is sent only once.
		if (parameters.name && text.startsWith('{"status"')) continue;
		const message = await failureOf(parameters, { given: { baseUrl } });
		expect(message).toContain(happened);
		// A log holds events.
		const isLog = parameters.operation === 'getDeliveries' && shown.startsWith('begins with');
		expect(message).toContain(isLog ? 'may hold events' : shown);
	}
});

test('an HTTP server at an https address is reached by no secure connection', async () => {
	const baseUrl = (await serve(() => {})).replace('http:', 'https:');
	const message = await failureOf(LIST_WEBHOOKS, { given: { baseUrl } });
	expect(message).toContain('No secure connection');
	expect(message).toContain('Base URL');
});

describe('the API key stays with the service', () => {
	let sentKeys: Array<string | undefined>;
	let otherServer: string;
	beforeEach(async () => {
		sentKeys = [];
		otherServer = await serve((request, response) => {
			sentKeys.push(request.headers.authorization ?? (request.headers['x-api-key'] as string));
			response.end('{"data": []}');
		});
	});

	// Promise: No redirect is followed.
	test.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed', async (status) => {
		const baseUrl = await serve((_request, response) => {
			response.writeHead(status, { location: `${otherServer}/webhooks` }).end();
		});
		for (const authHeader of ['authorization', 'x-api-key']) {
			const message = await failureOf(LIST_WEBHOOKS, { given: { baseUrl, authHeader } });
			expect(message).toContain('The service is at another address');
			expect(message).toContain('Put the new address into the Base URL');
		}
		expect(sentKeys).toEqual([]);
	});

	// Promise: No page at another origin is requested.
	test.each(['next', 'link', '//'])(
		'a next page at another host is requested from the service itself: %s',
		async (how) => {
			const next = `${how === '//' ? otherServer.slice(5) : otherServer}?page=2`;
			const baseUrl = await serve((request, response) => {
				const isFirst = !request.url?.endsWith('?page=2');
				if (how === 'link' && isFirst) response.setHeader('link', `<${next}>; rel="next"`);
				const more = how !== 'link' && isFirst && { next };
				response.end(JSON.stringify({ data: [{ id: isFirst ? '1' : '2' }], ...more }));
			});
			const webhooks = await run(LIST_WEBHOOKS, { given: { baseUrl } });
			expect(webhooks.map(({ json }) => json.id)).toEqual(['1', '2']);
			expect(sentKeys).toEqual([]);
		},
	);
});
