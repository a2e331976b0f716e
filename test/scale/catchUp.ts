import { sampleData } from '../../sandbox/service/events';
import { startSandbox } from '../../sandbox/service';
import { until } from '../../sandbox/stack/until';
import { type Report, violationsOf } from '../reliability/report';
import { LOGGING_DIALECT, savingWorkflow } from '../support/catchUpWorkflow';
import type { Cluster } from './cluster';

const EVENTS = 20;
/** For the start of a main, and two polls, each after ten seconds. */
const TIMEOUT_S = 180;

/**
 * Tests that the trigger saves each event once, if no webhook processor is available, and
 * after a crash of the main.
 */
export async function reportCatchUp(cluster: Cluster): Promise<Report> {
	const { main, balancer, ca } = cluster;
	const { api } = main;
	const sandbox = await startSandbox({ dialect: LOGGING_DIALECT, ca });
	try {
		const name = 'Catching up';
		const data = { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey };
		const id = await api.createCredential(name, 'voiceAgentApi', data);
		const tableId = await api.createDataTable(name, [{ name: 'call_id', type: 'string' }]);
		const workflow = savingWorkflow({ id, name }, tableId)(['call.completed']);
		const { id: workflowId } = await api.createWorkflow(workflow);
		await api.publish(workflowId);

		const sent: string[] = [];
		const sendAll = async () => {
			for (let count = 0; count < EVENTS; count++) {
				const call = sampleData('call.completed') as { call_id: string };
				sent.push(call.call_id);
				sandbox.emit('call.completed', call);
			}
			await sandbox.settled();
		};
		const savedCalls = async () => (await api.dataTableRows(tableId)).map(({ call_id }) => call_id);
		const allSaved = async () =>
			await until('a row for each event', TIMEOUT_S, async () => {
				const calls = await savedCalls();
				return sent.every((call) => calls.includes(call));
			});

		const targets = [...balancer.targets];
		balancer.targets.clear();
		await until('the load balancer to have no target', 30, () => balancer.countReady() === 0);
		await sendAll();
		for (const target of targets) balancer.targets.add(target);
		await until('the load balancer', 30, () => balancer.countReady() === targets.length);
		await allSaved();
		await cluster.crash(main);
		await sendAll();
		await allSaved();
		const countPolls = () => sandbox.requests.filter(({ path }) => /deliveries/.test(path)).length;
		const pollsBefore = countPolls();
		await until('two more polls', TIMEOUT_S, () => countPolls() >= pollsBefore + 2);

		const rows = await savedCalls();
		const endpoints = sandbox.endpoints().length;
		await api.unpublish(workflowId);
		const leftBehind = sandbox.endpoints().length;
		return {
			lines: [
				`${EVENTS} events without a webhook processor, ${EVENTS} after a crash of the main: ${rows.length} rows`,
				`endpoints while published: ${endpoints}, left behind: ${leftBehind}`,
			],
			violations: violationsOf({
				'each event is saved once': rows.length === sent.length,
				'there is one endpoint, and none is left behind': endpoints === 1 && leftBehind === 0,
			}),
		};
	} finally {
		await sandbox.stop();
	}
}
