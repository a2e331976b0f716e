import { randomBytes } from 'node:crypto';
import { makeSlots } from '../../sandbox/service/slots';
import { countExecutions } from '../reliability/publishedTrigger';
import { type Report, table } from '../reliability/report';
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
	await using workflow = await publishTestWorkflow(cluster, 'crm_wrong_tokens', 'received');
	const { api, sandbox, workflowId } = workflow;
	const send = async (address: string) => {
		const query = `voice_agent_token=${randomBytes(32).toString('base64url')}`;
		const headers = { 'content-type': 'application/json' };
		const body = JSON.stringify({ type: 'call.completed', data: { call_id: 'hostile' } });
		return await sendRequest(address, { query, headers, body });
	};
	const { pathname } = new URL(sandbox.endpoints()[0]?.url ?? '');
	const results = [];
	for (const { url } of cluster.webhooks) {
		const started = Date.now();
		const before = sandbox.requests.length;
		const inSlot = makeSlots(CONCURRENCY);
		const answers = await Promise.all(
			Array.from({ length: requests }, () => inSlot(() => send(url + pathname))),
		);
		const seconds = Math.ceil((Date.now() - started) / 1000);
		// 503: between two look-ups the trigger can neither confirm nor reject a token.
		const refused = answers.filter(({ status }) => status === 401 || status === 503).length;
		results.push({ url, requests, refused, seconds, lookUps: sandbox.requests.length - before });
	}
	const executions = await countExecutions(api, { workflowId });
	await workflow.unpublish();
	return {
		lines: [
			...table([Object.keys(results[0] ?? {}), ...results.map((result) => Object.values(result))]),
			`executions started: ${executions}`,
		],
		bounds: {
			'every request with a wrong token gets 401 or 503': results.every(
				({ refused }) => refused === requests,
			),
			'no request with a wrong token starts an execution': executions === 0,
			'a process makes at most one look-up a second': results.every(
				({ lookUps, seconds }) => lookUps <= seconds + 1,
			),
			'wrong tokens cause look-ups, without which the bound above is void': results.every(
				({ lookUps }) => lookUps > 0,
			),
		},
	};
}
