import { sampleData } from '../../sandbox/service/events';
import { startSandbox } from '../../sandbox/service';
import { until } from '../../sandbox/stack/until';
import { brokenOf, type Report } from '../reliability/report';
import { bothTriggers, LOGGING_DIALECT } from '../support/bothTriggers';
import type { Cluster } from './cluster';

const EVENTS = 20;
/** Two polls, which come every ten seconds, and the work of a new main. */
const REPORTED_S = 180;

/**
 * Delivers events while no webhook processor is there, and counts what the Missed Events Trigger saves
 * of them. The main polls, crashes, and polls again.
 */
export async function reportMissedEvents(cluster: Cluster): Promise<Report> {
	const { main, balancer, ca } = cluster;
	const { api } = main;
	const sandbox = await startSandbox({ dialect: LOGGING_DIALECT, ca });
	try {
		const name = 'Missed events';
		const data = { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey };
		const id = await api.createCredential(name, 'voiceAgentApi', data);
		const tableId = await api.createDataTable(name, [{ name: 'call_id', type: 'string' }]);
		const workflow = bothTriggers({ id, name }, tableId)(['call.completed']);
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
		const saved = async () => (await api.dataTableRows(tableId)).map(({ call_id }) => call_id);
		const allSaved = async () =>
			await until('a row for each event', REPORTED_S, async () => {
				const calls = await saved();
				return sent.every((call) => calls.includes(call));
			});

		const targets = [...balancer.targets];
		balancer.targets.clear();
		await until('no webhook processor', 30, () => balancer.ready() === 0);
		await sendAll();
		for (const target of targets) balancer.targets.add(target);
		await until('the load balancer', 30, () => balancer.ready() === targets.length);
		await allSaved();
		await cluster.crash(main);
		await sendAll();
		await allSaved();
		const polls = () => sandbox.requests.filter(({ path }) => /deliveries/.test(path)).length;
		const pollsBefore = polls();
		await until('two more polls', REPORTED_S, () => polls() >= pollsBefore + 2);

		const rows = await saved();
		const endpoints = sandbox.endpoints().length;
		await api.unpublish(workflowId);
		const leftBehind = sandbox.endpoints().length;
		return {
			lines: [
				`${EVENTS} events without a webhook processor, ${EVENTS} after a crash of the main: ${rows.length} rows`,
				`endpoints while published: ${endpoints}, left behind: ${leftBehind}`,
			],
			broken: brokenOf({
				'each event is saved once': rows.length === sent.length,
				'there is one endpoint, and none is left behind': endpoints === 1 && leftBehind === 0,
			}),
		};
	} finally {
		await sandbox.stop();
	}
}
