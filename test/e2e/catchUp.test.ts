/** Both triggers in one workflow: a killed n8n, deliveries while n8n starts, and changed publishes. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultDialect } from '../../sandbox/dialects';
import { sampleData } from '../../sandbox/service/events';
import { startStack, type Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { repeatMigration } from '../support/database';
import { LOGGING_DIALECT, savingWorkflow } from '../support/catchUpWorkflow';
import { type Service, startService } from './harness';

const MINUTE_MS = 60_000;
/** The time until an event is reported: two polls of ten seconds, and a reserve for a slow machine. */
const REPORTED_S = 120;
const EVENTS_AT_ONCE = 8;
/** n8n is starting for some milliseconds only, which a test on a busy machine may miss. */
const MOST_CRASHES = 5;
/** n8n aborts a migration after a second. */
const LONGEST_LOCK_MS = 700;

let stack: Stack;
let service: Service;
beforeAll(async () => {
	stack = await startStack({ gate: false });
	service = await startService(stack, { ...defaultDialect, ...LOGGING_DIALECT });
}, 15 * MINUTE_MS);
afterAll(async () => {
	await service?.sandbox.stop();
	await stack?.stop();
}, MINUTE_MS);

/** Waits until n8n listens, which is before n8n is ready. */
async function untilListening(url: string): Promise<void> {
	const { hostname, port } = new URL(url);
	for (;;) {
		const socket = connect(Number(port), hostname);
		const isListening = await once(socket, 'connect').then(
			() => true,
			() => false,
		);
		socket.destroy();
		if (isListening) return;
		await sleep(1);
	}
}

describe('missed events', () => {
	test(
		'every logged event is saved once',
		async () => {
			const { n8n, proxy } = stack;
			const { api } = n8n;
			const { sandbox } = service;
			const tableId = await api.createDataTable('Calls', [{ name: 'call_id', type: 'string' }]);
			const workflowOf = savingWorkflow(service.credentials.authorization, tableId);
			const { id } = await api.createWorkflow(workflowOf(['call.completed']));
			await api.publish(id);

			const sent: string[] = [];
			const send = () => {
				const data = sampleData('call.completed') as { call_id: string };
				sent.push(data.call_id);
				sandbox.emit('call.completed', data);
			};
			const sendMany = () => Array.from({ length: EVENTS_AT_ONCE }).forEach(send);
			/** @returns the saved calls as soon as all sent events are among them */
			const savedCalls = async () =>
				await until('a row for each event', REPORTED_S, async () => {
					const saved = (await api.dataTableRows(tableId)).map(({ call_id }) => call_id as string);
					return sent.every((call) => saved.includes(call)) && saved.sort();
				});
			const expectEachSavedOnce = async () => {
				expect(await savedCalls()).toEqual([...sent].sort());
			};
			const polls = () => sandbox.requests.filter(({ path }) => /deliveries/.test(path)).length;

			send();
			await expectEachSavedOnce();
			const pollsBefore = polls();
			await until('two polls', REPORTED_S, () => polls() >= pollsBefore + 2);
			const started = (await api.executions(id)).map(({ mode, status }) => `${mode} ${status}`);
			expect(started).toEqual(['webhook success']);

			const [endpoint] = sandbox.endpoints();
			const answeredAtStart = () =>
				sandbox
					.deliveriesOf(endpoint!.id)
					.filter(({ response_body }) => response_body?.includes('starting up')).length;
			for (let crash = 0; crash < MOST_CRASHES && answeredAtStart() === 0; crash++) {
				await n8n.kill();
				sendMany();
				await sandbox.settled();
				const database = repeatMigration(n8n);
				const restarted = n8n.restart();
				await untilListening(n8n.url);
				database.exec('BEGIN IMMEDIATE');
				sendMany();
				await Promise.race([sandbox.settled(), sleep(LONGEST_LOCK_MS)]);
				database.close();
				await restarted;
				await expectEachSavedOnce();
			}
			console.log(
				`${sent.length} events, ${answeredAtStart()} of them answered 200 while n8n started: ` +
					`${(await api.dataTableRows(tableId)).length} rows; no execution while nothing was missed`,
			);
			expect(answeredAtStart()).toBeGreaterThan(0);

			// A changed trigger gets a new endpoint with a new signing secret.
			await api.updateWorkflow(id, workflowOf(['call.completed', 'call.failed']));
			await api.publish(id);
			expect(sandbox.endpoints()).toHaveLength(1);
			expect(sandbox.endpoints()[0]!.id).not.toBe(endpoint!.id);
			await proxy.close();
			send();
			await sandbox.settled();
			proxy.open();
			await expectEachSavedOnce();
			send();
			await expectEachSavedOnce();
			await n8n.restart();
			send();
			// n8n does not store the state of polls after a changed publish, so a restart may repeat events.
			expect(new Set(await savedCalls())).toEqual(new Set(sent));

			await api.unpublish(id);
			expect(sandbox.endpoints()).toEqual([]);
		},
		20 * MINUTE_MS,
	);
});
