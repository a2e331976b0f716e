import { readFileSync } from 'node:fs';
import type { INode } from 'n8n-workflow';
import type { N8n } from '../../sandbox/stack/n8n';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { readDatabase } from '../support/database';
import { firstState } from '../support/sandboxPage';
import { chain, nodeOf } from '../support/triggerNode';
import { type Report, table, violationsOf } from './report';
import { publishTestWorkflow, type TestWorkflow } from './workflow';

/**
 * The columns, as `table.column`, in which n8n stores a trigger's static data. The trigger stores the
 * endpoint's signing secret there. (n8n stores the credential encrypted.)
 */
const STATIC_DATA = /staticData$/;

/**
 * Tests that no API key, signing secret or callback token is in n8n's debug log, its database, the
 * answers of its API and editor, or the page and log of the service.
 *
 * @param stack n8n with `N8N_LOG_LEVEL` `debug`
 */
export async function keepSecrets(stack: Stack): Promise<Report> {
	const { n8n } = stack;
	const signingSecret = `whsec_${Buffer.from(crypto.randomUUID()).toString('base64')}`;
	const workflow = await publishTestWorkflow(stack, {
		dialect: { signature: 'standard-webhooks' },
		signingSecret,
		options: { verifySignature: true, deliveryDetails: true },
		refusedAtFirst: new Set([1]),
	});
	const { sandbox } = workflow;
	try {
		const endpoint = sandbox.endpoints()[0];
		const token = new URL(endpoint?.url ?? '').searchParams.get('voice_agent_token') ?? '';
		const places: Record<string, string> = {};

		await deliver(workflow);
		places['lists in the editor'] = JSON.stringify(await loadLists(workflow));
		places['output and errors of the action node'] = JSON.stringify(await runOperations(workflow));
		// The service's errors contain all secrets.
		const secretTexts = `${sandbox.adminKey} ${signingSecret} ${endpoint?.url}`;
		const body = { error: { message: `Invalid: ${secretTexts}` } };
		sandbox.fault = () => ({ kind: 'status', status: 400, body });
		places['errors of the action node that quote secrets'] = JSON.stringify(
			await runOperations(workflow),
		);
		places['errors of the editor that quote secrets'] = await messageOf(loadLists(workflow));
		const publish = workflow.republish({ events: ['call.failed'] });
		places['errors of publishing that quote secrets'] = await messageOf(publish);
		sandbox.fault = undefined;

		places["executions in n8n's API"] = JSON.stringify(await executionsOf(n8n));
		places["the service's page"] = await firstState(sandbox.pageUrl);
		places["the service's log lines"] = workflow.logLines.join('\n');
		places["n8n's log"] = readFileSync(n8n.logFile, 'utf8');
		const columns = columnsOf(n8n);

		const staticData = staticDataOf(n8n, workflow.workflowId);
		const secrets = {
			'API key': sandbox.adminKey,
			'signing secret of the credential': signingSecret,
			'signing secret of the endpoint': staticData.signingSecret ?? '',
			'callback token': token,
		};
		const rows = Object.entries(secrets).map(([name, secret]) => {
			const found = Object.keys(places).filter((place) => includesSecret(places[place], secret));
			const inDatabase = [...columns.keys()].filter((column) =>
				includesSecret(columns.get(column), secret),
			);
			const mayBeStored = name === 'signing secret of the endpoint';
			const allowed = inDatabase.filter((column) => mayBeStored && STATIC_DATA.test(column));
			const leaks = [...found, ...inDatabase.filter((column) => !allowed.includes(column))];
			return { name, secret, leaks, allowed };
		});
		return {
			lines: [
				`searched: ${Object.keys(places).join(', ')}, and ${columns.size} columns of n8n's database`,
				...table([
					['secret', 'found in', "in the trigger's static data, as required"],
					...rows.map(({ name, leaks, allowed }) => [
						name,
						leaks.join(', ') || 'nothing',
						allowed.join(', ') || 'no',
					]),
				]),
			],
			violations: violationsOf({
				'no searched secret is empty': rows.every(({ secret }) => secret.length > 20),
				'no searched place is empty': Object.values(places).every((text) => text.length > 20),
				...Object.fromEntries(
					rows.map(({ name, leaks }) => [`no place contains the ${name}`, leaks.length === 0]),
				),
			}),
		};
	} finally {
		sandbox.fault = undefined;
		await workflow.stop();
	}
}

/** Delivers two events. The CRM refuses the second one at first. */
async function deliver({ sandbox, records }: TestWorkflow): Promise<void> {
	for (const number of [0, 1]) sandbox.emit('call.completed', { number });
	await until('a delivery to be executed', 60, () => records.includes(0));
}

async function loadLists({ n8n, nodes: [trigger] }: TestWorkflow) {
	const editor = (type: string) => ({
		type: `n8n-nodes-voice-agent.${type}`,
		parameters: {},
		credentials: trigger.credentials as Record<string, { id: string; name: string }>,
	});
	return [
		await n8n.api.loadOptions(editor('voiceAgentTrigger'), 'getEventTypes'),
		await n8n.api.listSearch(editor('voiceAgent'), 'searchWebhooks'),
		await n8n.api.listSearch(editor('voiceAgent'), 'searchApiKeys'),
	];
}

/** Runs the action node's operations that change nothing, and returns n8n's records of the executions. */
async function runOperations({ n8n, sandbox, nodes: [trigger] }: TestWorkflow) {
	const endpointId = sandbox.endpoints()[0]?.id;
	const webhookId = { __rl: true, mode: 'id', value: endpointId };
	const operations: Array<INode['parameters']> = [
		{ resource: 'apiKey', operation: 'getAll', returnAll: true },
		{ resource: 'webhook', operation: 'getAll', returnAll: true },
		{ resource: 'webhook', operation: 'getDeliveries', returnAll: true, webhookId },
		{ resource: 'webhook', operation: 'check' },
		{ resource: 'webhook', operation: 'getEventTypes' },
		{ resource: 'webhook', operation: 'test', webhookId },
	];
	const executions = [];
	for (const parameters of operations) {
		const { credentials } = trigger;
		const { id } = await n8n.api.createWorkflow({
			name: 'Act',
			nodes: [
				nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
				nodeOf('Act', 'n8n-nodes-voice-agent.voiceAgent', { parameters, credentials }),
			],
			connections: chain('Start', 'Act'),
		});
		const executionId = await n8n.api.run(id, 'Start');
		executions.push(await n8n.api.finishedExecution(executionId ?? ''));
	}
	return executions;
}

/** @returns the error of a rejected promise as text, or an empty text */
async function messageOf(failing: Promise<unknown>): Promise<string> {
	return await failing.then(
		() => '',
		(error: unknown) => String(error),
	);
}

/** @returns the newest 100 executions with all their data */
async function executionsOf({ api }: N8n) {
	type Page = { results: Array<{ id: string }> };
	const newest = { filter: '{}', limit: 100 };
	const { results } = await api.request<Page>('GET', '/executions', undefined, newest);
	const executions = [];
	for (const { id } of results) executions.push(await api.request('GET', `/executions/${id}`));
	return executions;
}

/** @returns all values of n8n's database, by `table.column` */
function columnsOf(n8n: N8n): Map<string, string> {
	return readDatabase(n8n, (database) => {
		const columns = new Map<string, string>();
		const all = database
			.prepare(
				`SELECT t.name AS tableName, c.name AS columnName
				 FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'`,
			)
			.all() as Array<Record<'tableName' | 'columnName', string>>;
		for (const { tableName, columnName } of all) {
			const sql = `SELECT CAST("${columnName}" AS TEXT) AS value FROM "${tableName}"`;
			const values = database.prepare(sql).all();
			columns.set(`${tableName}.${columnName}`, values.map(({ value }) => value).join('\n'));
		}
		return columns;
	});
}

function staticDataOf(n8n: N8n, workflowId: string): { signingSecret?: string } {
	const row = readDatabase(n8n, (database) =>
		database.prepare('SELECT staticData FROM workflow_entity WHERE id = ?').get(workflowId),
	);
	const stored = JSON.parse(String(row?.staticData)) as Record<string, { signingSecret?: string }>;
	return stored['node:Trigger'] ?? {};
}

/** Searches for the secret as it is and in URL encoding. */
function includesSecret(text: string | undefined, secret: string): boolean {
	return [secret, encodeURIComponent(secret)].some((form) => text?.includes(form));
}
