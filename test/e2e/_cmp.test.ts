import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import fastify from 'fastify';
import { startStack } from '../../sandbox/stack/stack';
test('compare', async () => {
	const stack = await startStack();
	const app = fastify({ forceCloseConnections: true });
	app.get('/v1/webhooks/event-types', async () => { await wait(50); return { data: ['call.completed'] }; });
	app.get('/v1/webhooks', async () => { await wait(50); return { data: [] }; });
	await app.listen({ host: '127.0.0.1', port: 0 });
	const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1`;
	const api = stack.n8n.api;
	const id = await api.createCredential('c', 'voiceAgentApi', { baseUrl, apiKey: 'svc_live_1', authHeader: 'authorization' });
	const credentials = { voiceAgentApi: { id, name: 'c' } };
	const node = (name: string, type: string, typeVersion: number, parameters: object, more = {}) => ({ id: name, name, type, typeVersion, position: [0, 0] as [number, number], parameters, ...more });
	const variants: Record<string, any> = {
		ours: node('X', 'n8n-nodes-voice-agent.voiceAgent', 1, { resource: 'webhook', operation: 'getEventTypes' }, { credentials }),
		oursMany: node('X', 'n8n-nodes-voice-agent.voiceAgent', 1, { resource: 'webhook', operation: 'getAll', returnAll: true }, { credentials }),
		http: node('X', 'n8n-nodes-base.httpRequest', 4.2, { url: baseUrl + '/webhooks/event-types', options: {} }),
		httpAuth: node('X', 'n8n-nodes-base.httpRequest', 4.2, { url: baseUrl + '/webhooks/event-types', authentication: 'predefinedCredentialType', nodeCredentialType: 'voiceAgentApi', options: {} }, { credentials }),
	};
	const ids: Record<string, string> = {};
	for (const [name, x] of Object.entries(variants)) {
		const nodes: any[] = [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('Set', 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ items: Array.from({ length: 300 }, (_x, i) => ({ i })) }), options: {} }),
			node('Split', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
			x,
		];
		const to = (n: string) => ({ main: [[{ node: n, type: 'main', index: 0 }]] });
		ids[name] = (await api.createWorkflow({ name, nodes, connections: { Start: to('Set'), Set: to('Split'), Split: to('X') } } as never)).id;
	}
	const times: Record<string, number[]> = {};
	for (let round = 0; round < 6; round++) for (const name of Object.keys(variants)) {
		const executionId = await api.run(ids[name]!, 'Start');
		const execution: any = await api.finishedExecution(executionId as string);
		const run = execution.data?.resultData?.runData?.X?.[0] ?? execution.runData?.X?.[0];
		if (!run) throw new Error(JSON.stringify(execution).slice(0, 1500));
		if (round) (times[name] ??= []).push(run.executionTime);
	}
	process.stdout.write(JSON.stringify(times) + '\n');
	await app.close();
	await stack.stop();
}, 400_000);
