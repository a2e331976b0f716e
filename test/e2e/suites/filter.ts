/** The option Only Calls That Match. */
import { namedDialects } from '../../../sandbox/dialects';
import { type CallDetails, createEvent, sampleData } from '../../../sandbox/service/events';
import {
	publishTrigger,
	request,
	type Service,
	sharedN8n,
	startService,
	successes,
} from '../harness';

const TIMES = 20;

let service: Service;
afterAll(async () => await service?.sandbox.stop());

test('only matching events start an execution, and events that do not state the details', async () => {
	const { stack } = sharedN8n();
	service = await startService(stack, namedDialects.assumed);
	const filter = { direction: 'outbound', minDurationSeconds: 60, outcomes: 'booked' };
	const { id, url } = await publishTrigger(stack, service, {
		events: ['call.completed'],
		options: { onlyCalls: { filter } },
	});

	const matching: CallDetails = { kind: 'outbound', duration_seconds: 60, outcome: 'Booked' };
	const excluded = [{ kind: 'inbound' as const }, { duration_seconds: 59 }, { outcome: 'lost' }];
	const calls = [{}, ...excluded].map((other) =>
		sampleData('call.completed', { ...matching, ...other }),
	);
	const answers: string[][] = [];
	for (const call of [...calls, { call_id: 'c1' }]) {
		const deliveries = Array.from({ length: TIMES }, () =>
			request(stack, url, createEvent('call.completed', call)),
		);
		const found = (await Promise.all(deliveries)).map(({ data }) => JSON.stringify(data));
		answers.push([...new Set(found)]);
	}
	const ignored = ['{"ignored":"filter"}'];
	const started = answers[0];
	expect(started).not.toEqual(ignored);
	expect(answers).toEqual([started, ignored, ignored, ignored, started]);
	await successes(stack, id, 2 * TIMES);
	await stack.n8n.api.unpublish(id);
});
