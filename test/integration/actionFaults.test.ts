import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox/service';
import { MAY_BE_DONE, run, sandbox, status, useActions } from '../support/running/actionRun';

// The node's waits pass at once, and its clock jumps by their length.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/skippedWaits'));

/** The time-out of an attempt (ms): 30 s in the node, and less in tests of the time-out. */
let timeout = 30_000;
jest.mock('../../nodes/VoiceAgent/service/retry', () => ({
	...jest.requireActual<object>('../../nodes/VoiceAgent/service/retry'),
	actionDeadline: () => ({ timeout }),
}));

useActions();

beforeEach(() => void (timeout = 30_000));

/** The request of an operation on an existing record. */
interface Case {
	method: 'GET' | 'POST' | 'DELETE';
	path: RegExp;
	prepare: () => INodeParameters;
	/** The number of records that the operation creates, changes or removes. */
	count: () => number;
}

const byId = (value: string) => ({ mode: 'id', value });
const keysNamed = (wanted: string) => sandbox.keys().filter(({ name }) => name === wanted);
/** Operations of each method, and those that treat an answer in their own way. All send by `request`. */
const cases: Record<string, Case> = {
	'apiKey create': {
		method: 'POST',
		path: /^\/workspace\/api-keys$/,
		prepare: () => ({ resource: 'apiKey', operation: 'create', name: 'New', scopes: [] }),
		count: () => keysNamed('New').length,
	},
	'apiKey revoke': {
		method: 'DELETE',
		path: /^\/workspace\/api-keys\/./,
		prepare: () => {
			sandbox.createKey('Old');
			return { resource: 'apiKey', operation: 'revoke', apiKeyId: byId(keysNamed('Old')[0]!.id) };
		},
		count: () => keysNamed('Old').length,
	},
	'webhook test': {
		method: 'POST',
		path: /\/test$/,
		prepare: () => ({
			resource: 'webhook',
			operation: 'test',
			webhookId: byId(sandbox.addEndpoint({ url: 'https://127.0.0.1:1/' })),
		}),
		count: () => sandbox.deliveriesOf(sandbox.endpoints().at(-1)!.id).length,
	},
	'webhook getAll': {
		method: 'GET',
		path: /^\/webhooks$/,
		prepare: () => ({ resource: 'webhook', operation: 'getAll', returnAll: true }),
		count: () => 0,
	},
};

/** The fault of each attempt. The last fault repeats. */
type FaultSequence = Array<Fault | undefined>;
/** The expected result: the number of attempts, the error, and the change of the number of records. */
interface Outcome {
	attempts: number;
	error?: string;
	change?: number;
}
type ByMethod = Record<'GET' | 'POST' | 'DELETE', Outcome>;

/** After a single fault, GET and DELETE succeed. A POST is repeated only if `isSafe`. */
const passing = (isSafe: boolean, isDone = false): ByMethod => ({
	GET: { attempts: 2 },
	DELETE: { attempts: 2, change: -1 },
	POST: isSafe
		? { attempts: 2, change: 1 }
		: { attempts: 1, error: MAY_BE_DONE, change: isDone ? 1 : 0 },
});
const lasting = (error: string): ByMethod => ({
	GET: { attempts: 6, error },
	DELETE: { attempts: 6, error },
	POST: { attempts: 1, error: MAY_BE_DONE },
});
const once = (kind: 'drop-before' | 'drop-after' | 'hang-after') => [{ kind }, undefined];
const BROKE = 'connection to the service broke';

const faults: Array<[string, FaultSequence, ByMethod]> = [
	['connection broken before the request, once', once('drop-before'), passing(false)],
	['connection broken before the request, always', [{ kind: 'drop-before' }], lasting(BROKE)],
	['connection broken after the request, once', once('drop-after'), passing(false, true)],
	['time-out after the request, once', once('hang-after'), passing(false, true)],
	['429 with Retry-After', [status(429, '2'), undefined], passing(true)],
	['503, always', [status(503)], lasting('returned a server error (status 503')],
	[
		'empty',
		[{ kind: 'empty' }],
		{
			GET: { attempts: 1, error: 'The answer is empty' },
			DELETE: { attempts: 1 },
			POST: { attempts: 1, error: MAY_BE_DONE },
		},
	],
	[
		'cut',
		[{ kind: 'cut' }],
		{
			GET: { attempts: 1, error: 'The answer begins with: {' },
			DELETE: { attempts: 1, change: -1 },
			POST: { attempts: 1, error: MAY_BE_DONE, change: 1 },
		},
	],
];

const exceptions: Record<string, Outcome> = {
	// Any success is enough for a test event.
	'webhook test: empty': { attempts: 1 },
	'webhook test: cut': { attempts: 1, change: 1 },
};

describe.each(faults)('%s', (name, course, expected) => {
	test.each(Object.keys(cases))('%s', async (operation) => {
		const { method, path, prepare, count } = cases[operation]!;
		const outcome = exceptions[`${operation}: ${name}`] ?? expected[method];
		const parameters = prepare();
		const before = count();
		if (name.startsWith('time-out')) timeout = 400;
		let attempts = 0;
		sandbox.fault = (request) => {
			if (request.method !== method || !path.test(request.path)) return undefined;
			return course[Math.min(attempts++, course.length - 1)];
		};

		const result = await run(parameters).then(
			(output) => ({ output }),
			(error: Error) => ({ error }),
		);

		sandbox.fault = undefined;
		if ('error' in result) {
			expect(result.error.message).toMatch(outcome.error ?? 'no error was expected');
			expect(JSON.stringify(result.error)).not.toContain(sandbox.adminKey);
		} else {
			expect(outcome.error).toBeUndefined();
			expect(result.output.every(({ pairedItem }) => pairedItem !== undefined)).toBe(true);
			if (method === 'DELETE') expect(result.output[0]?.json).toEqual({ deleted: true });
		}
		expect(count() - before).toBe(outcome.change ?? 0);
		expect(attempts).toBe(outcome.attempts);
	});
});
