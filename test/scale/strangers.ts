import { Agent } from 'node:http';
import { makeSlots } from '../../sandbox/service/slots';
import { kinds } from '../reliability/hostile';
import { brokenOf, type Report, table } from '../reliability/report';
import type { Cluster } from './cluster';
import { publish } from './publication';

/**
 * Floods each webhook processor in turn with requests that have a wrong token, and counts how often
 * it then asks the service for its endpoints.
 *
 * @param requests how many to send to each
 */
export async function repelStrangers(cluster: Cluster, requests: number): Promise<Report> {
	const kind = kinds().find(({ name }) => name === 'a wrong token');
	if (!kind) throw new Error('There is no such kind of strangers');
	const publication = await publish(cluster, 'crm_strangers', 'received');
	const { sandbox, workflowId } = publication;
	const agent = new Agent({ keepAlive: true });
	try {
		const { pathname, searchParams } = new URL(sandbox.endpoints()[0]?.url ?? '');
		const token = searchParams.get('voice_agent_token') ?? '';
		const floods = [];
		for (const { url } of cluster.webhooks) {
			const known = { address: url + pathname, token, secret: '' };
			const begun = Date.now();
			const before = sandbox.requests.length;
			const inSlot = makeSlots(12);
			const answers = await Promise.all(
				Array.from({ length: requests }, () => inSlot(async () => await kind.send(known, agent))),
			);
			const seconds = (Date.now() - begun) / 1000;
			// Between two look-ups a token is neither confirmed nor rejected, which is 503.
			const refused = answers.filter(({ status }) => status === 401 || status === 503).length;
			floods.push({ refused, lookUps: sandbox.requests.length - before, seconds });
		}
		const [[executions] = []] = await cluster.postgresql.query(
			'n8n',
			`SELECT count(*) FROM execution_entity WHERE "workflowId" = '${workflowId}'`,
		);
		return {
			lines: [
				...table([
					['', 'sent', 'refused', 'seconds', 'look-ups'],
					...floods.map(({ refused, lookUps, seconds }, place) => [
						...[`webhook processor ${place + 1}`, requests, refused],
						...[Number(seconds.toFixed(1)), lookUps],
					]),
				]),
				`executions started: ${executions}`,
			],
			broken: brokenOf({
				'every stranger gets 401 or 503': floods.every(({ refused }) => refused === requests),
				'no stranger starts an execution': executions === '0',
				'a flood makes at most one look-up a second in a process': floods.every(
					({ lookUps, seconds }) => lookUps <= seconds + 1,
				),
				'a flood makes a look-up, so that the bound above bounds something': floods.every(
					({ lookUps }) => lookUps > 0,
				),
			}),
		};
	} finally {
		agent.destroy();
		await publication.unpublish();
		await publication.stop();
	}
}
