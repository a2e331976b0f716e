import { readFileSync } from 'node:fs';
import { readDatabase } from '../../support/n8n/database';
import { publishTrigger } from '../../reliability/publishedTrigger';
import { tokenOf } from '../../support/service/callbackTokens';
import {
	nodeTypes,
	runActions,
	sandboxes,
	service,
	stack,
	successes,
	useService,
} from '../harness';

useService({ signature: 'standard-webhooks' });

/**
 * n8n stores a trigger's static data there, in which the trigger keeps the signing secret of its webhook. n8n 2.0 and
 * older also copy them into each execution.
 */
const STATIC_DATA = /\.(staticData|workflowData)$/;

/** @returns all values of n8n's database, by `table.column` */
function readColumns(): Record<string, string> {
	return readDatabase(stack.n8n, (database) => {
		const columns: Record<string, string> = {};
		const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
		for (const { name } of tables) {
			for (const row of database.prepare(`SELECT * FROM "${name as string}"`).all()) {
				for (const [column, value] of Object.entries(row)) {
					const text = value instanceof Uint8Array ? Buffer.from(value).toString() : value;
					const place = `${name as string}.${column}`;
					columns[place] = `${columns[place] ?? ''}\n${text}`;
				}
			}
		}
		return columns;
	});
}

// Promise: Neither n8n's debug log nor its database, with all executions, holds a secret. (n8n encrypts credentials.)
test("neither n8n's log nor its database contains a secret", async () => {
	const { api, logFile } = stack.n8n;
	const { sandbox } = service;
	const webhookSigningSecret = `whsec_${btoa(crypto.randomUUID())}`;
	const workflow = await publishTrigger(api, sandbox, {
		parameters: { options: { verifySignature: true, deliveryDetails: true } },
		credential: { webhookSigningSecret },
	});
	const { id, url } = sandbox.endpoints()[0]!;
	const endpointSecret = sandbox.detailsOf(id)?.secret ?? '';
	const token = tokenOf(url);
	sandbox.emit('call.completed');
	await successes(stack, workflow.workflowId);
	const message = `Invalid: ${sandbox.adminKey} ${webhookSigningSecret} ${url}`;
	sandbox.fault = () => ({ kind: 'status', status: 400, body: { error: { message } } });
	const credentials = workflow.nodes[0].credentials as typeof service.credentials;
	const list = { resource: 'webhook', operation: 'getAll', returnAll: true };
	const failed = await runActions(api, credentials, { List: list });
	expect(failed.data.resultData.error).toMatchObject({ message: expect.any(String) as string });
	const editor = { type: nodeTypes.action, parameters: {}, credentials };
	const shown = await api.listSearch(editor, 'searchWebhooks').then(JSON.stringify, String);
	sandbox.fault = undefined;

	const columns = readColumns();
	expect(columns['workflow_entity.staticData']).toContain(endpointSecret);
	const places = { ...columns, log: readFileSync(logFile, 'utf8'), editor: shown };
	const secrets = [webhookSigningSecret, token, ...sandboxes.map(({ adminKey }) => adminKey)];
	expect([...secrets, endpointSecret].filter((secret) => secret.length < 20)).toEqual([]);
	for (const [place, text] of Object.entries(places)) {
		const searched = STATIC_DATA.test(place) ? secrets : [...secrets, endpointSecret];
		const found = searched.filter(
			(secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)),
		);
		expect([place, found]).toEqual([place, []]);
	}
	await workflow.unpublish();
});
