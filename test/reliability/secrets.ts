import { readFileSync } from 'node:fs';
import type { N8n } from '../../sandbox/stack/n8n';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { type Credentials, runActions } from '../e2e/harness';
import { readDatabase } from '../support/n8n/database';
import { shownState } from '../support/service/sandboxPage';
import { type Report, table } from './report';
import { publishTestWorkflow, type TestWorkflow } from './workflow';

const ENDPOINT_SECRET = 'signing secret of the endpoint';
/** The columns in which n8n stores a trigger's static data, where the trigger keeps that secret. */
const STATIC_DATA = /\.staticData$/;

/**
 * Tests that no API key, signing secret or callback token is in n8n's debug log, its database, the
 * answers of its editor, or the page and log of the service. (n8n stores the credential encrypted.)
 *
 * @param stack n8n with `N8N_LOG_LEVEL` `debug`
 */
export async function keepSecrets(stack: Stack): Promise<Report> {
	const { n8n } = stack;
	const signingSecret = `whsec_${Buffer.from(crypto.randomUUID()).toString('base64')}`;
	await using workflow = await publishTestWorkflow(stack, {
		dialect: { signature: 'standard-webhooks' },
		signingSecret,
		parameters: { options: { verifySignature: true, deliveryDetails: true } },
		isRefusedAtFirst: (callId) => callId === 'call_1',
	});
	const { sandbox } = workflow;
	const endpoint = sandbox.endpoints()[0]!;
	const secrets = {
		'API key': sandbox.adminKey,
		'signing secret of the credential': signingSecret,
		[ENDPOINT_SECRET]: sandbox.detailsOf(endpoint.id)?.secret ?? '',
		'callback token': new URL(endpoint.url).searchParams.get('voice_agent_token') ?? '',
	};
	const places: Record<string, string> = {};
	await deliver(workflow);
	places['lists in the editor'] = JSON.stringify(await loadLists(workflow));
	places['output and errors of the action node'] = JSON.stringify(await runOperations(workflow));

	const message = `Invalid: ${sandbox.adminKey} ${signingSecret} ${endpoint.url}`;
	sandbox.fault = () => ({ kind: 'status', status: 400, body: { error: { message } } });
	const errors = JSON.stringify(await runOperations(workflow));
	places['errors of the action node that quote secrets'] = errors;
	places['errors of the editor that quote secrets'] = await messageOf(loadLists(workflow));
	const publishing = workflow.republish('changed');
	places['errors of publishing that quote secrets'] = await messageOf(publishing);
	sandbox.fault = undefined;

	places["the service's page"] = await shownState(sandbox.pageUrl);
	places["the service's log lines"] = workflow.logLines.join('\n');
	places["n8n's log"] = readFileSync(n8n.logFile, 'utf8');
	const columns = readColumns(n8n);
	const searched = Object.entries({ ...places, ...columns });
	const rows = Object.entries(secrets).map(([name, secret]) => {
		const found = searched.filter(([, text]) => includesSecret(text, secret));
		const leaks = found
			.map(([place]) => place)
			.filter((place) => name !== ENDPOINT_SECRET || !STATIC_DATA.test(place));
		return { name, secret, leaks };
	});
	return {
		lines: [
			`searched: ${Object.keys(places).join(', ')}, and ${Object.keys(columns).length} columns of n8n's database`,
			...table([
				['secret', 'found in'],
				...rows.map(({ name, leaks }) => [name, leaks.join(', ') || 'nothing']),
			]),
		],
		bounds: {
			'no searched secret is empty': rows.every(({ secret }) => secret.length > 20),
			'no searched place is empty': Object.values(places).every((text) => text.length > 20),
			'the database is searched': includesSecret(
				searched.find(([place]) => place === 'workflow_entity.staticData')?.[1],
				secrets[ENDPOINT_SECRET],
			),
			...Object.fromEntries(
				rows.map(({ name, leaks }) => [`no place contains the ${name}`, leaks.length === 0]),
			),
		},
	};
}

/** Delivers two events. The CRM refuses the second one at first. */
async function deliver({ sandbox, writes }: TestWorkflow): Promise<void> {
	for (const number of [0, 1]) sandbox.emit('call.completed', { call_id: `call_${number}` });
	await until('a delivery to be executed', 60, () => writes.has('call_0'));
}

async function loadLists({ api, nodes: [trigger] }: TestWorkflow) {
	const editor = (type: string) => ({
		type: `n8n-nodes-voice-agent.${type}`,
		parameters: {},
		credentials: trigger.credentials as Credentials,
	});
	return [
		await api.loadOptions(editor('voiceAgentTrigger'), 'getEventTypes'),
		await api.listSearch(editor('voiceAgent'), 'searchWebhooks'),
		await api.listSearch(editor('voiceAgent'), 'searchApiKeys'),
	];
}

/** Runs the action node's operations that change nothing, and returns n8n's records of the executions. */
async function runOperations({ api, sandbox, nodes: [{ credentials }] }: TestWorkflow) {
	const webhookId = { __rl: true, mode: 'id', value: sandbox.endpoints()[0]?.id };
	const getDeliveries = {
		resource: 'webhook',
		operation: 'getDeliveries',
		returnAll: true,
		allWebhooks: false,
		webhookId,
	};
	const operations = [
		{ resource: 'apiKey', operation: 'getAll', returnAll: true },
		{ resource: 'webhook', operation: 'getAll', returnAll: true },
		{ ...getDeliveries, options: { simplify: false } },
		{ ...getDeliveries, output: 'events' },
		{ resource: 'webhook', operation: 'check' },
		{ resource: 'webhook', operation: 'getEventTypes' },
		{ resource: 'webhook', operation: 'test', webhookId },
	];
	const executions = [];
	for (const Act of operations) {
		executions.push(await runActions(api, credentials as Credentials, { Act }));
	}
	return executions;
}

/** @returns the error of a rejected promise as text, or an empty text */
const messageOf = async (failing: Promise<unknown>) => await failing.then(() => '', String);

/** @returns all values of n8n's database, by `table.column` */
function readColumns(n8n: N8n): Record<string, string> {
	return readDatabase(n8n, (database) => {
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

/** Searches for the secret as it is and in URL encoding. */
function includesSecret(text: string | undefined, secret: string): boolean {
	return [secret, encodeURIComponent(secret)].some((form) => text?.includes(form));
}
