import { readFileSync } from 'node:fs';
import type { INode } from 'n8n-workflow';
import type { N8n } from '../../sandbox/stack/n8n';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { readDatabase } from '../support/database';
import { firstState } from '../support/sandboxPage';
import { chain, nodeOf } from '../support/triggerNode';
import { brokenOf, type Report, table } from './report';
import { startTrial, type Trial } from './trial';

/**
 * Where the signing secret that creating the endpoint returned has to be, as `table.column` of n8n's
 * database, while signatures are verified: n8n gives a trigger no other memory than its static data.
 * (The credential is in the database too, but encrypted, so that it needs no exception.)
 */
const STATIC_DATA = /staticData$/;

/**
 * Part C: the API key, the signing secrets and the callback token are in nothing that a run leaves
 * behind: n8n's log at its most talkative, its whole database, what its API and editor show, and
 * the service's page and log lines.
 *
 * @param stack n8n with `N8N_LOG_LEVEL` `debug`
 */
export async function keepSecrets(stack: Stack): Promise<Report> {
	const { n8n } = stack;
	const signingSecret = `whsec_${Buffer.from(crypto.randomUUID()).toString('base64')}`;
	const trial = await startTrial(stack, {
		dialect: { signature: 'standard-webhooks' },
		signingSecret,
		options: { signature: { settings: { scheme: 'standardWebhooks' } }, deliveryDetails: true },
		refusedAtFirst: new Set([1]),
	});
	const { sandbox } = trial;
	try {
		const endpoint = sandbox.endpoints()[0];
		const token = new URL(endpoint?.url ?? '').searchParams.get('voice_agent_token') ?? '';
		const places: Record<string, string> = {};

		await deliver(trial);
		places['choices in the editor'] = JSON.stringify(await chooseInEditor(trial));
		places['output and errors of the action node'] = JSON.stringify(await act(trial));
		// A service that tells everything back makes each error as dangerous as can be.
		const tells = `${sandbox.adminKey} ${signingSecret} ${endpoint?.url}`;
		const body = { error: { message: `Not with ${tells}` } };
		sandbox.fault = () => ({ kind: 'status', status: 400, body });
		places['errors of the action node, told back'] = JSON.stringify(await act(trial));
		places['errors of the editor, told back'] = await messageOf(chooseInEditor(trial));
		const publish = trial.republish({ events: ['call.failed'] });
		places['errors of publishing, told back'] = await messageOf(publish);
		sandbox.fault = undefined;

		places["executions in n8n's API"] = JSON.stringify(await executionsOf(n8n));
		places["the service's page"] = await firstState(sandbox.pageUrl);
		places["the service's log lines"] = trial.logLines.join('\n');
		places["n8n's log"] = readFileSync(n8n.logFile, 'utf8');
		const columns = columnsOf(n8n);

		const own = memoryOf(n8n, trial.workflowId);
		const secrets = {
			'API key': sandbox.adminKey,
			'signing secret of the credential': signingSecret,
			'signing secret of the endpoint': own.signingSecret ?? '',
			'callback token': token,
		};
		const rows = Object.entries(secrets).map(([name, secret]) => {
			const found = Object.keys(places).filter((place) => holds(places[place], secret));
			const inDatabase = [...columns.keys()].filter((column) => holds(columns.get(column), secret));
			const mayBeStored = name === 'signing secret of the endpoint';
			const excluded = inDatabase.filter((column) => mayBeStored && STATIC_DATA.test(column));
			const leaks = [...found, ...inDatabase.filter((column) => !excluded.includes(column))];
			return { name, secret, leaks, excluded };
		});
		return {
			lines: [
				`searched: ${Object.keys(places).join(', ')}, and ${columns.size} columns of n8n's database`,
				...table([
					['secret', 'found in', "the trigger's own memory, where it has to be"],
					...rows.map(({ name, leaks, excluded }) => [
						name,
						leaks.join(', ') || 'nothing',
						excluded.join(', ') || 'not there',
					]),
				]),
			],
			broken: brokenOf({
				'every secret is known to the search': rows.every(({ secret }) => secret.length > 20),
				'every place has something in it': Object.values(places).every((text) => text.length > 20),
				...Object.fromEntries(
					rows.map(({ name, leaks }) => [`no ${name} is left behind`, leaks.length === 0]),
				),
			}),
		};
	} finally {
		sandbox.fault = undefined;
		await trial.stop();
	}
}

/** Lets two events happen, of which the CRM refuses the second at first. */
async function deliver({ sandbox, records }: Trial): Promise<void> {
	for (const number of [0, 1]) sandbox.emit('call.completed', { number });
	await until('a delivery to run', 60, () => records.includes(0));
}

async function chooseInEditor({ n8n, nodes: [trigger] }: Trial) {
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

/** Runs each of the action node's reading operations, and gives what n8n keeps of it. */
async function act({ n8n, sandbox, nodes: [trigger] }: Trial) {
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

async function messageOf(failing: Promise<unknown>): Promise<string> {
	return await failing.then(
		() => '',
		(error: unknown) => String(error),
	);
}

/** The newest executions, with all their data. */
async function executionsOf({ api }: N8n) {
	const { results } = await api.request<{ results: Array<{ id: string }> }>(
		'GET',
		'/executions',
		undefined,
		{ filter: '{}', limit: 100 },
	);
	const executions = [];
	for (const { id } of results) executions.push(await api.request('GET', `/executions/${id}`));
	return executions;
}

/** All that n8n's database holds, by `table.column`. */
function columnsOf(n8n: N8n): Map<string, string> {
	return readDatabase(n8n, (database) => {
		const columns = new Map<string, string>();
		const tables = database
			.prepare(
				`SELECT t.name || '.' || c.name AS place, t.name AS tableName, c.name AS columnName
				 FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'`,
			)
			.all() as Array<Record<'place' | 'tableName' | 'columnName', string>>;
		for (const { place, tableName, columnName } of tables) {
			const rows = database.prepare(
				`SELECT CAST("${columnName}" AS TEXT) AS value FROM "${tableName}"`,
			);
			columns.set(
				place,
				rows
					.all()
					.map(({ value }) => value)
					.join('\n'),
			);
		}
		return columns;
	});
}

/** What the trigger has in its static data. */
function memoryOf(n8n: N8n, workflowId: string): { signingSecret?: string } {
	const row = readDatabase(n8n, (database) =>
		database.prepare('SELECT staticData FROM workflow_entity WHERE id = ?').get(workflowId),
	);
	const stored = JSON.parse(String(row?.staticData)) as Record<string, { signingSecret?: string }>;
	return stored['node:Trigger'] ?? {};
}

/** Whether a text holds a secret, be it as it is or escaped for a URL. */
function holds(text: string | undefined, secret: string): boolean {
	return [secret, encodeURIComponent(secret)].some((form) => text?.includes(form));
}
