/** The option Only Calls That Match. */
import { Agent } from 'node:https';

import axios from 'axios';

import { namedDialects } from '../../../sandbox/dialects';
import { envelope } from '../../../sandbox/service/envelopes';
import { createEvent, sampleData } from '../../../sandbox/service/events';
import { until } from '../../../sandbox/stack/until';
import { triggerNode } from '../../support/triggerNode';
import { type Service, sharedN8n, startService } from '../harness';

const EVENTS = 1_000;
const MATCHING = 10;
const AT_ONCE = 20;

let service: Service;
afterAll(async () => await service?.sandbox.stop());

test(`of ${EVENTS} events, only matching events start an execution`, async () => {
	const { stack } = sharedN8n();
	const { api } = stack.n8n;
	service = await startService(stack, namedDialects.assumed);
	const filter = { direction: 'outbound', minDurationSeconds: 60, outcomes: 'booked' };
	const { id } = await api.createWorkflow({
		name: 'Only calls that match',
		connections: {},
		nodes: [
			triggerNode(service.credentials.authorization.id, {
				events: ['call.completed'],
				options: { onlyCalls: { filter } },
			}),
		],
	});
	await api.publish(id);
	const { url } = service.sandbox.endpoints()[0]!;

	const httpsAgent = new Agent({ ca: stack.certificate.ca, keepAlive: true });
	const client = axios.create({ httpsAgent });
	const call = { kind: 'outbound', duration_seconds: 60, outcome: 'Booked' } as const;
	const excluded = [{ kind: 'inbound' as const }, { duration_seconds: 59 }, { outcome: 'lost' }];
	const deliver = async (overrides: object) => {
		const data = sampleData('call.completed', { ...call, ...overrides });
		const { body, headers } = envelope(createEvent('call.completed', data), service.dialect);
		return (await client.post<unknown>(url, body, { headers })).data;
	};
	const answers = { started: 0, filtered: 0 };
	const sent = Array.from({ length: EVENTS }, (_, index) =>
		index % (EVENTS / MATCHING) === 0 ? {} : excluded[index % excluded.length]!,
	);
	for (let first = 0; first < EVENTS; first += AT_ONCE) {
		const batch = await Promise.all(sent.slice(first, first + AT_ONCE).map(deliver));
		for (const answer of batch) {
			if (JSON.stringify(answer) === '{"ignored":"filter"}') answers.filtered++;
			else answers.started++;
		}
	}
	const executions = await until('the executions', 60, async () => {
		const found = await api.executions(id);
		return found.length >= MATCHING && found.every(({ status }) => status === 'success') && found;
	});
	console.log(`${EVENTS} events, ${MATCHING} match: ${executions.length} executions`);
	expect(answers).toEqual({ started: MATCHING, filtered: EVENTS - MATCHING });
	expect(executions).toHaveLength(MATCHING);

	// An event that does not state the details starts the workflow.
	await client.post(url, { type: 'call.completed', data: { call_id: 'c1' } });
	httpsAgent.destroy();
	await until('one more execution', 30, async () => {
		return (await api.executions(id)).length === MATCHING + 1;
	});
	await api.unpublish(id);
}, 300_000);
