import { randomUUID } from 'node:crypto';

import type { IDataObject, INode, INodeParameters, NodeApiError } from 'n8n-workflow';

import { startSandbox, type Fault, type Sandbox } from '../../sandbox/service';
import { operations } from '../../nodes/VoiceAgent/operations/operations';
import { NodeInWorkflow } from '../support/n8nCore';
import { fc } from '../support/random';

/** The waits that were asked for (ms); the clock jumps over them, but where a test lets them be real. */
const waits: number[] = [];
let areWaitsReal = false;
let jumped = 0;
const realNow = Date.now.bind(Date);
jest.spyOn(Date, 'now').mockImplementation(() => realNow() + jumped);
jest.mock('n8n-workflow', () => {
	const real = jest.requireActual<typeof import('n8n-workflow')>('n8n-workflow');
	return {
		...real,
		sleep: async (ms: number) => {
			waits.push(ms);
			if (areWaitsReal) return await real.sleep(ms);
			const end = Date.now() + ms;
			// What is under way comes first, as it would in the time that is jumped over.
			await real.sleep(1);
			jumped = Math.max(jumped, end - realNow());
		},
	};
});
/** How long a try may take (ms): 30 s in the node, and less where a test lets it run out. */
let timeout = 30_000;
jest.mock('../../nodes/VoiceAgent/api/retry', () => ({
	...jest.requireActual<object>('../../nodes/VoiceAgent/api/retry'),
	actionDeadline: () => ({ endsAt: Date.now() + 60_000, timeout }),
}));

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.stop());
beforeEach(() => {
	waits.length = 0;
	areWaitsReal = false;
	timeout = 30_000;
	sandbox.fault = undefined;
});

const byId = (value: string) => ({ mode: 'id', value });
const run = async (
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
	{ baseUrl = sandbox.baseUrl, ...settings }: Partial<INode> & { baseUrl?: string } = {},
) => {
	const node = await NodeInWorkflow.create('voiceAgent', {
		parameters,
		credential: { baseUrl, apiKey: sandbox.adminKey },
	});
	node.settings = settings;
	return await node.execute(items);
};
const goOn = { onError: 'continueRegularOutput', continueOnFail: true } as const;

/** One request of an operation, on something that is there. */
interface Case {
	method: 'GET' | 'POST' | 'DELETE';
	path: RegExp;
	prepare: () => INodeParameters;
	/** How much there is of what the operation makes or removes. */
	count: () => number;
}

const webhook = (operation: string, more: INodeParameters = {}) => ({
	resource: 'webhook',
	operation,
	...more,
});
const endpoint = () => byId(sandbox.addEndpoint({ url: 'https://127.0.0.1:1/' }));
const keysNamed = (wanted: string) => sandbox.keys().filter(({ name }) => name === wanted);
const read = (path: RegExp, prepare: Case['prepare']): Case => {
	return { method: 'GET', path, prepare, count: () => 0 };
};
let sent = '';
const cases: Record<string, Case> = {
	'apiKey create': {
		method: 'POST',
		path: /^\/workspace\/api-keys$/,
		prepare: () => ({ resource: 'apiKey', operation: 'create', name: 'New', scopes: [] }),
		count: () => keysNamed('New').length,
	},
	'apiKey getAll': read(/^\/workspace\/api-keys$/, () => {
		return { resource: 'apiKey', operation: 'getAll', returnAll: true };
	}),
	'apiKey revoke': {
		method: 'DELETE',
		path: /^\/workspace\/api-keys\/./,
		prepare: () => {
			sandbox.createKey('Old');
			return { resource: 'apiKey', operation: 'revoke', apiKeyId: byId(keysNamed('Old')[0]!.id) };
		},
		count: () => keysNamed('Old').length,
	},
	'webhook create': {
		method: 'POST',
		path: /^\/webhooks$/,
		prepare: () => webhook('create', { url: 'https://127.0.0.1:1/', events: ['call.completed'] }),
		count: () => sandbox.endpoints().length,
	},
	'webhook delete': {
		method: 'DELETE',
		path: /^\/webhooks\/./,
		prepare: () => webhook('delete', { webhookId: endpoint() }),
		count: () => sandbox.endpoints().length,
	},
	'webhook test': {
		method: 'POST',
		path: /\/test$/,
		prepare: () => {
			const webhookId = endpoint();
			sent = webhookId.value;
			return webhook('test', { webhookId });
		},
		count: () => sandbox.deliveriesOf(sent).length,
	},
	'webhook getAll': read(/^\/webhooks$/, () => webhook('getAll', { returnAll: true })),
	'webhook getDeliveries': read(/\/deliveries$/, () =>
		webhook('getDeliveries', { webhookId: endpoint(), returnAll: true }),
	),
	'webhook check': read(/^\/webhooks$/, () => webhook('check')),
	'webhook getEventTypes': read(/^\/webhooks\/event-types$/, () => webhook('getEventTypes')),
};

test('each operation has a case', () => {
	const all = Object.entries(operations).flatMap(([resource, named]) =>
		Object.keys(named).map((operation) => `${resource} ${operation}`),
	);
	expect(Object.keys(cases).sort()).toEqual(all.sort());
});

/** What happens to each try of the request; the last one happens to all that follow. */
type Course = Array<Fault | undefined>;
const status = (code: number, retryAfter?: string): Fault => ({
	kind: 'status',
	status: code,
	headers: retryAfter ? { 'retry-after': retryAfter } : {},
	body: { error: { message: 'The words of the service' } },
});

/** What is to be: the number of tries, the error (or none), and by how much things change. */
interface Outcome {
	/** A limit is waited for, however many tries that takes; nothing else is. */
	tries: number | 'for a minute';
	error?: string | RegExp;
	change?: number;
}
type ByMethod = Record<'GET' | 'POST' | 'DELETE', Outcome>;
const DOUBT = 'may have carried out the request';
const same = (outcome: Outcome): ByMethod => ({ GET: outcome, POST: outcome, DELETE: outcome });

/** After a fault that has passed, reads and removals succeed; a POST is tried again only if `isSafe`. */
const passing = (isSafe: boolean, isDone = false): ByMethod => ({
	GET: { tries: 2 },
	DELETE: { tries: 2, change: -1 },
	POST: isSafe ? { tries: 2, change: 1 } : { tries: 1, error: DOUBT, change: isDone ? 1 : 0 },
});
const lasting = (error: string): ByMethod => ({
	GET: { tries: 6, error },
	DELETE: { tries: 6, error },
	POST: { tries: 1, error: DOUBT },
});
const once = (kind: 'drop-before' | 'drop-after' | 'hang-before' | 'hang-after'): Course => [
	{ kind },
	undefined,
];
const refused = (error: string | RegExp) => same({ tries: 1, error });
const BROKE = 'connection to the service broke';

const faults: Array<[string, Course, ByMethod]> = [
	['lost before, once', once('drop-before'), passing(false)],
	['lost before, always', [{ kind: 'drop-before' }], lasting(BROKE)],
	['lost after, once', once('drop-after'), passing(false, true)],
	['time-out before, once', once('hang-before'), passing(false)],
	['time-out after, once', once('hang-after'), passing(false, true)],
	['401', [status(401)], refused('API key was not accepted (status 401, The words')],
	['403', [status(403)], refused('lacks the scope workspace:admin (status 403')],
	['404', [status(404)], refused(/There is no .* with the ID|nothing at this address/)],
	['409', [status(409)], refused('reports a conflict (status 409')],
	['429, once', [status(429), undefined], passing(true)],
	['429 with Retry-After', [status(429, '2'), undefined], passing(true)],
	[
		'429, always',
		[status(429)],
		same({ tries: 'for a minute', error: 'Too many requests (status 429' }),
	],
	['429 for an hour', [status(429, '3600')], refused('Too many requests')],
	['500, once', [status(500), undefined], passing(false)],
	['503, once', [status(503), undefined], passing(false)],
	['503 with Retry-After', [status(503, '1'), undefined], passing(true)],
	['503, always', [status(503)], lasting('returned a server error (status 503')],
	[
		'empty',
		[{ kind: 'empty' }],
		{ ...refused('The answer is empty'), DELETE: { tries: 1 }, POST: { tries: 1, error: DOUBT } },
	],
	[
		'cut',
		[{ kind: 'cut' }],
		{
			GET: { tries: 1, error: 'The answer begins with: {' },
			DELETE: { tries: 1, change: -1 },
			POST: { tries: 1, error: DOUBT, change: 1 },
		},
	],
	['web page', [{ kind: 'html' }], refused('a web page came instead of data')],
];

const exceptions: Record<string, Outcome> = {
	// The catalog is tried as well, and that it can't be read is no reason not to go on.
	'webhook create: connection refused': { tries: 11, error: 'cannot be reached (ECONNREFUSED)' },
	// A sample needs no readable answer: any success will do (contract, section 4).
	'webhook test: empty': { tries: 1 },
	'webhook test: cut': { tries: 1, change: 1 },
};

const REFUSED = 'connection refused';
faults.push([REFUSED, [], same({ tries: 6, error: 'cannot be reached (ECONNREFUSED)' })]);

describe.each(faults)('%s', (name, course, expected) => {
	test.each(Object.keys(cases))('%s', async (operation) => {
		const { method, path, prepare, count } = cases[operation]!;
		const outcome = exceptions[`${operation}: ${name}`] ?? expected[method];
		const parameters = prepare();
		const before = count();
		if (name.startsWith('time-out')) timeout = 400;
		let tries = 0;
		const begunAt = Date.now();
		sandbox.fault = (request) => {
			if (request.method !== method || !path.test(request.path)) return undefined;
			// A list of a usual length is looked behind: those requests are none of the tries.
			if (Object.keys(request.query ?? {}).length > 0) return undefined;
			return course[Math.min(tries++, course.length - 1)];
		};

		const baseUrl = name === REFUSED ? 'http://127.0.0.1:1/v1' : sandbox.baseUrl;
		const result = await run(parameters, [{}], { baseUrl }).then(
			(output) => ({ output }),
			(error: Error) => ({ error }),
		);

		sandbox.fault = undefined;
		// What never arrives can't be counted there.
		if (name === REFUSED) tries = waits.length + 1;
		const change = count() - before;
		if ('error' in result) {
			expect(result.error.message).toMatch(outcome.error ?? 'no error was expected');
			expect(JSON.stringify(result.error)).not.toContain(sandbox.adminKey);
		} else {
			expect(outcome.error).toBeUndefined();
			expect(result.output.every(({ pairedItem }) => pairedItem !== undefined)).toBe(true);
		}
		expect(change).toBe(outcome.change ?? 0);
		if (outcome.tries !== 'for a minute') {
			expect(tries).toBe(outcome.tries);
			return;
		}
		// A minute and a quarter, and the pause that was begun before.
		expect(Date.now() - begunAt).toBeGreaterThan(75_000);
		expect(Date.now() - begunAt).toBeLessThan(90_000);
		expect(tries).toBeGreaterThan(10);
		expect(tries).toBeLessThan(30);
	});
});

test('a removal whose answer was lost counts as removed after the next attempt', async () => {
	for (const operation of ['apiKey revoke', 'webhook delete']) {
		const parameters = cases[operation]!.prepare();
		let tries = 0;
		sandbox.fault = () => (tries++ === 0 ? { kind: 'drop-after' } : undefined);
		expect(await run(parameters)).toEqual([{ json: { deleted: true }, pairedItem: { item: 0 } }]);
		expect(tries).toBe(2);
	}
});

test('a request is repeated after the time of Retry-After', async () => {
	areWaitsReal = true;
	let tries = 0;
	sandbox.fault = () => (tries++ === 0 ? status(429, '1') : undefined);
	await run({ resource: 'apiKey', operation: 'create', name: 'Patient', scopes: [] });
	const [first, second] = sandbox.requests.slice(-2).map(({ at }) => at);
	expect(second! - first!).toBeGreaterThanOrEqual(990);
	const waited = waits.reduce((sum, ms) => sum + ms, 0);
	expect(waited).toBeGreaterThan(900);
	expect(waited).toBeLessThan(1_100);
	expect(sandbox.keys().filter(({ name }) => name === 'Patient')).toHaveLength(1);
});

describe('many items', () => {
	const COUNT = 50;
	const items = Array.from({ length: COUNT }, (_item, index) => ({ index }));
	const eachItem = items.map((_item, item) => ({ item }));
	const createKeys = (batch: string) => ({
		resource: 'apiKey',
		operation: 'create',
		name: `={{ "${batch} " + $json.index }}`,
		scopes: [],
	});
	/** The indexes of the items whose keys are at the service, in their order. */
	const createdIn = (batch: string) =>
		sandbox
			.keys()
			.map(({ name }) => name.split(' '))
			.filter(([name]) => name === batch)
			.map(([, index]) => Number(index))
			.sort((a, b) => a - b);
	const failureOf = async (parameters: INodeParameters) =>
		await run(parameters, items).then(
			() => Promise.reject(new Error('It did not fail')),
			(error: NodeApiError) => error,
		);

	const anyFault = fc.option(
		fc.constantFrom<Fault>(
			{ kind: 'drop-before' },
			{ kind: 'drop-after' },
			{ kind: 'cut' },
			{ kind: 'empty' },
			{ kind: 'html' },
			{ kind: 'slow', ms: 5 },
			status(400),
			status(429, '0'),
			status(429),
			status(500),
			status(503),
			status(503, '1'),
		),
		{ nil: undefined, freq: 1 },
	);
	/** A fault, or none, for each request in its turn. */
	const anyFaults = fc.array(anyFault, { minLength: COUNT, maxLength: COUNT * 2 });

	test('each item fails by itself, in its own place, and no key is created twice', async () => {
		await fc.assert(
			fc.asyncProperty(anyFaults, async (chosen) => {
				const batch = randomUUID();
				let request = 0;
				sandbox.fault = () => chosen[request++];
				const output = await run(createKeys(batch), items, goOn);
				sandbox.fault = undefined;

				expect(output.map(({ pairedItem }) => pairedItem)).toEqual(eachItem);
				const created = createdIn(batch);
				expect(new Set(created).size).toBe(created.length);
				for (const [index, { json }] of output.entries()) {
					if (!json.error) {
						expect(json.name).toBe(`${batch} ${index}`);
						expect(created).toContain(index);
					} else if (created.includes(index)) {
						expect(json.error).toContain(DOUBT);
					}
				}
			}),
			{ numRuns: 10 },
		);
	}, 60_000);

	test('reads are complete, whichever attempts fail', async () => {
		const passing = fc.constantFrom<Fault>(
			{ kind: 'drop-before' },
			{ kind: 'drop-after' },
			status(500),
			status(429),
		);
		await fc.assert(
			// One item has five tries after the first.
			fc.asyncProperty(fc.array(passing, { maxLength: 5 }), async (chosen) => {
				let request = 0;
				sandbox.fault = () => chosen[request++];
				const output = await run({ resource: 'webhook', operation: 'getEventTypes' }, items);
				const ten = eachItem.flatMap((item) => Array<object>(10).fill(item));
				expect(output.map(({ pairedItem }) => pairedItem)).toEqual(ten);
			}),
			{ numRuns: 5 },
		);
	}, 60_000);

	test('the first failure ends the run, and its error lists the processed items', async () => {
		let request = 0;
		sandbox.fault = () => (++request === 8 ? status(409) : undefined);
		const error = await failureOf(createKeys('First'));
		expect(error.message).toContain('The service reports a conflict');
		const created = createdIn('First');
		expect(created.length).toBeGreaterThanOrEqual(7);
		expect(created.length).toBeLessThan(20);
		expect(error.description).toContain(`items were processed: ${created.join(', ')}. `);
		expect(error.description).toContain('revoke these keys, and run the items again');
		expect(created).not.toContain(error.context.itemIndex);
	});

	test('the error keeps the message and the item of any failure', async () => {
		const nameless = {
			...createKeys('Second'),
			name: '={{ $json.index < 10 ? "Second " + $json.index : "" }}',
		};
		const refused = await failureOf(nameless);
		expect(refused.message).toContain('Name is empty');
		expect(refused.description).toContain('items were processed: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9. ');
		expect(refused.context.itemIndex).toBe(10);

		let request = 0;
		sandbox.fault = () => (++request > 20 ? { kind: 'drop-before' } : undefined);
		const broken = await failureOf(createKeys('Third'));
		expect(broken.message).toContain(DOUBT);
		expect(broken.description).toContain('items were processed: 0, 1, 2');

		sandbox.fault = () => status(401);
		const first = await failureOf(createKeys('Fourth'));
		expect(first.message).toContain('The API key was not accepted');
		expect(first.description).not.toContain('items were processed');
		expect(first.context.itemIndex).toBe(0);
	});
});
