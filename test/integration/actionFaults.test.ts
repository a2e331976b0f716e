import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox/service';
import {
	byId,
	failureOf,
	MAY_BE_DONE,
	run,
	sandbox,
	status,
	useFailures,
} from '../support/service/failures';

// The node's waits pass at once, and its clock jumps by their length.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/skippedWaits'));

/** The time-out of an attempt (ms): 30 s in the node, and less in tests of the time-out. */
let timeout: number;
jest.mock('../../nodes/VoiceAgent/service/retry', () => ({
	...jest.requireActual<object>('../../nodes/VoiceAgent/service/retry'),
	actionDeadline: () => ({ timeout }),
}));

useFailures();

const METHODS = ['GET', 'DELETE', 'POST'] as const;
type ByMethod<Of> = Record<(typeof METHODS)[number], Of>;

const revokeNewKey = () => {
	sandbox.createKey('Old');
	const { id } = sandbox.keys().at(-1)!;
	return { resource: 'apiKey', operation: 'revoke', apiKeyId: byId(id) };
};
/** An operation of each method. All operations send by `request`. */
const parametersOf: ByMethod<() => INodeParameters> = {
	GET: () => ({ resource: 'apiKey', operation: 'getAll', returnAll: true }),
	DELETE: revokeNewKey,
	POST: () => ({ resource: 'apiKey', operation: 'create', name: 'New', scopes: [] }),
};

/** The expected result: the number of attempts, the error, and the change of the number of keys. */
interface Outcome {
	attempts: number;
	error?: string;
	change?: number;
}

/** After a single fault, GET and DELETE succeed. A POST is repeated only if `isSafe`. */
const passing = (isSafe: boolean, isDone = false): ByMethod<Outcome> => ({
	GET: { attempts: 2 },
	DELETE: { attempts: 2, change: -1 },
	POST: isSafe
		? { attempts: 2, change: 1 }
		: { attempts: 1, error: MAY_BE_DONE, change: isDone ? 1 : 0 },
});
const lasting = (error: string): ByMethod<Outcome> => ({
	GET: { attempts: 6, error },
	DELETE: { attempts: 6, error },
	POST: { attempts: 1, error: MAY_BE_DONE },
});
const once = (kind: 'drop-before' | 'drop-after' | 'hang-after') => [{ kind }, undefined];
const BROKE = 'connection to the service broke';

/** The fault of each attempt, of which the last repeats. */
const faults: Array<[string, Array<Fault | undefined>, ByMethod<Outcome>]> = [
	['connection broken before the request, once', once('drop-before'), passing(false)],
	['connection broken before the request, always', [{ kind: 'drop-before' }], lasting(BROKE)],
	['connection broken after the request, once', once('drop-after'), passing(false, true)],
	['time-out after the request, once', once('hang-after'), passing(false, true)],
	['429 with Retry-After', [status(429, '2'), undefined], passing(true)],
	['503, always', [status(503)], lasting('returned a server error (status 503')],
];

describe.each(faults)('%s', (name, course, expected) => {
	test.each(METHODS)('%s', async (method) => {
		const { attempts, error, change = 0 } = expected[method];
		timeout = name.startsWith('time-out') ? 400 : 30_000;
		const parameters = parametersOf[method]();
		const before = sandbox.keys().length;
		let sent = 0;
		sandbox.fault = () => course[Math.min(sent++, course.length - 1)];
		if (error) expect(await failureOf(parameters)).toContain(error);
		else expect(await run(parameters)).toMatchObject([{ pairedItem: { item: 0 } }]);
		expect(sandbox.keys().length - before).toBe(change);
		expect(sent).toBe(attempts);
	});
});

test('a removal and a test event need no readable answer', async () => {
	const webhookId = byId(sandbox.addEndpoint({ url: 'https://127.0.0.1:1/' }));
	const revoke = revokeNewKey();
	sandbox.fault = () => ({ kind: 'empty' });
	const [removed] = await run(revoke);
	expect(removed?.json).toEqual({ deleted: true });
	expect(await run({ resource: 'webhook', operation: 'test', webhookId })).toHaveLength(1);
	expect(sandbox.requests.map(({ method }) => method)).toEqual(['DELETE', 'POST']);
});
