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

const revokeNewKey = () => {
	sandbox.createKey('Old');
	const { id } = sandbox.keys().at(-1)!;
	return { resource: 'apiKey', operation: 'revoke', apiKeyId: byId(id) };
};
/** An operation of each method. All operations send by `request`. */
const parametersOf = {
	GET: () => ({ resource: 'apiKey', operation: 'getAll', returnAll: true }),
	DELETE: revokeNewKey,
	POST: () => ({ resource: 'apiKey', operation: 'create', name: 'New', scopes: [] }),
} satisfies Record<string, () => INodeParameters>;

const once = (kind: 'drop-before' | 'drop-after' | 'hang-after') => [{ kind }, undefined];
const LIMITED = [status(429, '2'), undefined];
const DROPPED: Fault[] = [{ kind: 'drop-before' }];
const BUSY = [status(503)];
const BROKE = 'connection to the service broke';
const FAILED = 'returned a server error (status 503';

/** The fault of each attempt, of which the last repeats; the attempts; the change of the number of keys; the error. */
type Case = [
	fault: string,
	method: keyof typeof parametersOf,
	course: Array<Fault | undefined>,
	attempts: number,
	change: number,
	error?: string,
];

test.each<Case>([
	['connection broken before the request, once', 'GET', once('drop-before'), 2, 0],
	['connection broken before the request, once', 'DELETE', once('drop-before'), 2, -1],
	['connection broken before the request, once', 'POST', once('drop-before'), 1, 0, MAY_BE_DONE],
	['connection broken before the request, always', 'GET', DROPPED, 6, 0, BROKE],
	['connection broken after the request, once', 'DELETE', once('drop-after'), 2, -1],
	['connection broken after the request, once', 'POST', once('drop-after'), 1, 1, MAY_BE_DONE],
	['time-out after the request, once', 'DELETE', once('hang-after'), 2, -1],
	['time-out after the request, once', 'POST', once('hang-after'), 1, 1, MAY_BE_DONE],
	['429 with Retry-After', 'POST', LIMITED, 2, 1],
	['503, always', 'DELETE', BUSY, 6, 0, FAILED],
	['503, always', 'POST', BUSY, 1, 0, MAY_BE_DONE],
])('%s: %s', async (fault, method, course, attempts, change, error = '') => {
	timeout = fault.startsWith('time-out') ? 400 : 30_000;
	const parameters = parametersOf[method]();
	const before = sandbox.keys().length;
	let sent = 0;
	sandbox.fault = () => course[Math.min(sent++, course.length - 1)];
	if (error) expect(await failureOf(parameters)).toContain(error);
	else expect(await run(parameters)).toMatchObject([{ pairedItem: { item: 0 } }]);
	expect(sandbox.keys().length - before).toBe(change);
	expect(sent).toBe(attempts);
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
