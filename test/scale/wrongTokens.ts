import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { makeSlots } from '../../sandbox/service/slots';
import { type Report, table, violationsOf } from '../reliability/report';
import { sendRequest } from '../reliability/sendRequest';
import type { Cluster } from './cluster';
import { publishTestWorkflow } from './workflow';

const CONCURRENCY = 12;

/**
 * Sends requests with a wrong callback token to each webhook processor in turn, and counts the
 * processor's look-ups of the endpoints at the service.
 *
 * @param requests the number of requests to each processor
 */
export async function refuseWrongTokens(cluster: Cluster, requests: number): Promise<Report> {
	const workflow = await publishTestWorkflow(cluster, 'crm_wrong_tokens', 'received');
	const { sandbox, workflowId } = workflow;
	const agent = new Agent({ keepAlive: true });
	const send = async (address: string) => {
		const query = `voice_agent_token=${randomBytes(32).toString('base64url')}`;
		const headers = { 'content-type': 'application/json' };
		const body = JSON.stringify({ type: 'call.completed', data: { number: -1 } });
		return await sendRequest(address, { query, headers, body }, agent);
	};
	try {
		const { pathname } = new URL(sandbox.endpoints()[0]?.url ?? '');
		const results = [];
		for (const { url } of cluster.webhooks) {
			const started = Date.now();
			const before = sandbox.requests.length;
			const inSlot = makeSlots(CONCURRENCY);
			const answers = await Promise.all(
				Array.from({ length: requests }, () => inSlot(() => send(url + pathname))),
			);
			const seconds = (Date.now() - started) / 1000;
			// 503: between two look-ups the trigger can neither confirm nor reject a token.
			const refused = answers.filter(({ status }) => status === 401 || status === 503).length;
			results.push({ refused, lookUps: sandbox.requests.length - before, seconds });
		}
		const [[executions] = []] = await cluster.postgresql.query(
			'n8n',
			`SELECT count(*) FROM execution_entity WHERE "workflowId" = '${workflowId}'`,
		);
		return {
			lines: [
				...table([
					['', 'sent', 'refused', 'seconds', 'look-ups'],
					...results.map(({ refused, lookUps, seconds }, index) => [
						...[`webhook processor ${index + 1}`, requests, refused],
						...[Number(seconds.toFixed(1)), lookUps],
					]),
				]),
				`executions started: ${executions}`,
			],
			violations: violationsOf({
				'every request with a wrong token gets 401 or 503': results.every(
					({ refused }) => refused === requests,
				),
				'no request with a wrong token starts an execution': executions === '0',
				'a process makes at most one look-up a second': results.every(
					({ lookUps, seconds }) => lookUps <= seconds + 1,
				),
				'wrong tokens cause look-ups, without which the bound above is void': results.every(
					({ lookUps }) => lookUps > 0,
				),
			}),
		};
	} finally {
		agent.destroy();
		await workflow.unpublish();
		await workflow.stop();
	}
}
