import { startSandbox } from '../../sandbox/service';
import { sampleData } from '../../sandbox/service/events';
import { changeTrigger, importMainExample } from '../../sandbox/stack/example';
import type { Execution, N8nApi } from '../../sandbox/stack/n8n-api';
import { until } from '../../sandbox/stack/until';
import { type Report, table } from '../reliability/report';
import { LOGGING_DIALECT, OFTEN } from '../support/publishing/caughtUpEvents';
import type { Cluster } from './cluster';

/** n8n lists 100 executions: one of each event, and another one of each whose answer is lost at the kill. */
const EVENTS = 15;
/** For the start of a main, and two polls, each after ten seconds. */
const TIMEOUT_S = 180;
/** After them, each event has still run once. */
const RESTARTS = 3;

/**
 * Tests that each event is saved once if no webhook processor is available, if one is killed under load, and
 * after restarts of the main.
 */
export async function reportCatchUp(cluster: Cluster): Promise<Report> {
	const { main, webhooks, proxy, ca } = cluster;
	const { api } = main;
	await using sandbox = await startSandbox({ dialect: LOGGING_DIALECT, ca });
	const { voiceAgentApi } = await api.newCredentials('voiceAgentApi', sandbox.credential);
	const { id } = voiceAgentApi;
	const { workflowId, tableId } = await importMainExample(api, id, 'Catching up');
	// So an event whose processor is killed has an answer only if it was saved.
	await changeTrigger(api, workflowId, { ...OFTEN, options: { acknowledge: 'finished' } });
	await api.publish(workflowId);

	const sent: string[] = [];
	const sendAll = async () => {
		for (let number = 0; number < EVENTS; number++) {
			const customer = { phone: `+1415555${1000 + sent.length}` };
			const call = sampleData('call.completed', { customer }) as { call_id: string };
			sent.push(call.call_id);
			sandbox.emit('call.completed', call);
		}
		await sandbox.settled();
	};
	const allSaved = async () =>
		await until('a row for each event', TIMEOUT_S, async () => {
			const calls = (await api.dataTableRows(tableId)).map((row) => row.last_call_id);
			return sent.every((call) => calls.includes(call)) && calls;
		});
	const logged = (status: 'delivered' | 'failed') => {
		const [endpoint] = sandbox.endpoints();
		return sandbox.deliveriesOf(endpoint?.id ?? '').filter((record) => record.status === status);
	};
	await proxy.close();
	await sendAll();
	proxy.open();
	await allSaved();
	const crashUnderLoad = async () => {
		await until('a delivery to arrive', TIMEOUT_S, () => logged('delivered').length > 0);
		await cluster.crash(webhooks[0]!);
	};
	await Promise.all([sendAll(), crashUnderLoad()]);
	await allSaved();
	const countPolls = () => sandbox.requests.filter(({ path }) => /deliveries/.test(path)).length;
	const twoPolls = async () => {
		const before = countPolls();
		await until('two polls', TIMEOUT_S, () => countPolls() >= before + 2);
	};
	for (let restart = 0; restart < RESTARTS; restart++) {
		await twoPolls();
		await cluster.crash(main);
		await sendAll();
		await allSaved();
	}
	const failed = logged('failed').length;
	/** The executions that have reached more than the trigger. */
	const countProcessed = (executions: Execution[]) =>
		executions.filter(({ data }) => Object.keys(data.resultData.runData).length > 1).length;
	// An event whose answer was lost at the end has a row before a poll starts it.
	await until('an execution of each missed event', TIMEOUT_S, async () => {
		return countProcessed(await executionsByPolls(api, workflowId)) >= failed;
	});
	await twoPolls();

	const rows = await allSaved();
	const startedByPolls = await executionsByPolls(api, workflowId);
	const processed = countProcessed(startedByPolls);
	const arrived = logged('delivered').length;
	const endpoints = sandbox.endpoints().length;
	await api.unpublish(workflowId);
	const leftBehind = sandbox.endpoints().length;
	return {
		lines: [
			`${EVENTS} events each: without a webhook processor, while one is killed, after each of ${RESTARTS} restarts of the main`,
			...table([
				['delivered', 'failed', 'started by polls', 'processed', 'rows', 'left behind'],
				[arrived, failed, startedByPolls.length, processed, rows.length, leftBehind],
			]),
		],
		bounds: {
			'each event is saved once': rows.length === sent.length,
			'each missed event is processed once': processed === failed,
			'no poll starts an execution that does nothing': startedByPolls.length === processed,
			'there is one endpoint, and none is left behind': endpoints === 1 && leftBehind === 0,
		},
	};
}

async function executionsByPolls(api: N8nApi, workflowId: string): Promise<Execution[]> {
	const all = await api.executions(workflowId);
	const started = all.filter(({ mode }) => mode === 'trigger');
	return await Promise.all(started.map(async ({ id }) => await api.execution(id)));
}
