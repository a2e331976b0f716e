import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { IDataObject } from 'n8n-workflow';
import { type Dialect, namedDialects, parseDialect } from './dialects';
import { startPastedService } from './pasted';
import { type Sandbox, startSandbox } from './service';
import { sampleData } from './service/events';
import { importMainExample, pasteWebhook } from './stack/example';
import type { N8n } from './stack/n8n';
import { tail } from './stack/processes';
import { step } from './stack/progress';
import { type Stack, startStack } from './stack/stack';
import { until } from './stack/until';
import { hotReload, watchConnector } from './stack/watch';

const help = `npm start -- [--once | --watch] [--dialect TEXT] [--service pasted]

Runs everything on this machine: a sandbox that stands in for the voice-agent service, and a real n8n
with the connector installed and a published workflow that keeps a CRM record of each caller.

  --once          let one call end, show the CRM record that it made, and stop
  --watch         let n8n use each file of nodes/ and credentials/ as soon as it is saved (npm run dev)
  --dialect TEXT  the forms of the sandbox's answers: ${Object.keys(namedDialects).join(', ')};
                  or axes with their values as in sandbox/axes.ts, e.g. listEnvelope=array
  --service pasted  a service without an API, at whose page you paste the webhook's URL
  --help          show this`;

const interruption = new AbortController();
const { signal } = interruption;

/** The parts of a trial of the connector. */
interface Demonstration extends Pick<Stack, 'n8n' | 'connectorFolder'> {
	sandbox: Sandbox;
	workflowId: string;
	tableId: string;
}

/** Starts n8n. @returns it until the end of the block, also after an error */
async function useStack(env?: NodeJS.ProcessEnv) {
	const stack = await startStack({ signal, env });
	const stop = () => step('Stop everything', () => stack.stop());
	return { ...stack, [Symbol.asyncDispose]: stop };
}

/** Starts everything, runs a trial, and stops everything. */
async function demonstrate(
	dialect: Dialect,
	use: (demonstration: Demonstration) => Promise<void>,
	env?: NodeJS.ProcessEnv,
): Promise<void> {
	await using stack = await useStack(env);
	const { n8n, connectorFolder, certificate } = stack;
	await using sandbox = await startSandbox({ dialect, ca: certificate.ca });
	const example = await step('Publish the example workflow', () => setUp(n8n, sandbox));
	sandbox.setEditorUrl(workflowUrl(n8n, example.workflowId));
	await use({ sandbox, n8n, connectorFolder, ...example });
}

/** Creates a credential, and imports and publishes the main example. */
async function setUp({ api }: N8n, { credential }: Sandbox) {
	const { voiceAgentApi } = await api.newCredentials('voiceAgentApi', credential);
	const example = await importMainExample(api, voiceAgentApi.id);
	await api.publish(example.workflowId);
	return example;
}

const workflowUrl = ({ url }: N8n, workflowId: string) => `${url}/workflow/${workflowId}`;

/** Prints where to look, first the lines of this demonstration, and waits for Ctrl-C. */
async function waitForInterruption(
	{ n8n, workflowId }: Pick<Demonstration, 'n8n' | 'workflowId'>,
	...lines: string[]
): Promise<void> {
	const { email, password } = n8n.api.login;
	console.log(`
${lines.join('\n')}
See the records   ${n8n.url}/home/datatables
See the workflow  ${workflowUrl(n8n, workflowId)} (the steps of its note are done)
Log in to n8n     ${email}  ${password}

All of it runs on this machine only. Ctrl-C stops it and removes it.
`);
	await once(signal, 'abort');
}

/** Shows the sandbox until Ctrl-C. */
async function show(demonstration: Demonstration): Promise<void> {
	const { pageUrl, baseUrl, adminKey } = demonstration.sandbox;
	const credential = `Credential        ${baseUrl}  ${adminKey}`;
	await waitForInterruption(demonstration, `Simulate a call   ${pageUrl}`, credential);
}

/** Starts n8n, and a service at whose page a person pastes the webhook's URL, until Ctrl-C. */
async function demonstratePasting(): Promise<void> {
	await using stack = await useStack();
	const { n8n, certificate } = stack;
	const service = await startPastedService(certificate.ca);
	try {
		const { workflowId } = await importMainExample(n8n.api, '');
		const url = await pasteWebhook(stack, workflowId);
		const lines = [`The service       ${service.pageUrl}`, `Paste there       ${url}`];
		await waitForInterruption({ n8n, workflowId }, ...lines);
	} finally {
		await service.stop();
	}
}

/** Reloads each saved file in n8n, until Ctrl-C. */
async function develop(demonstration: Demonstration): Promise<void> {
	const source = join(__dirname, '..');
	watchConnector({ ...demonstration, source, print: console.log, signal });
	console.log('Save a file of nodes/ or credentials/: it is compiled, and n8n reloads the nodes.');
	await show(demonstration);
}

/** Simulates a call, prints its record, and unpublishes the workflow. */
async function runOnce(demonstration: Demonstration): Promise<void> {
	const { sandbox, n8n, workflowId } = demonstration;
	const call = sampleData('call.completed') as { call_id: string };
	const record = await step('Simulate a call, and wait for its CRM record', async () => {
		sandbox.emit('call.completed', call);
		return await recordOf(call.call_id, demonstration);
	});
	for (const [column, value] of Object.entries(record)) {
		console.log(`    ${column.padEnd(18)} ${JSON.stringify(value)}`);
	}
	await step('Unpublish the workflow', () => n8n.api.unpublish(workflowId));
	const { length } = sandbox.endpoints();
	if (length > 0) throw new Error(`The service still has ${length} endpoint(s)`);
}

async function recordOf(callId: string, demonstration: Demonstration): Promise<IDataObject> {
	const { sandbox, n8n, tableId } = demonstration;
	let rows: IDataObject[] = [];
	const find = async () => {
		rows = await n8n.api.dataTableRows(tableId);
		return rows.find((row) => row.last_call_id === callId);
	};
	try {
		return await until(`a record of ${callId}`, 60, find, signal);
	} catch (error) {
		signal.throwIfAborted();
		const attempts = sandbox.endpoints().flatMap(({ id }) => sandbox.deliveriesOf(id));
		const found = { records: rows, attempts };
		throw new Error(
			`${(error as Error).message}, but found ${JSON.stringify(found, null, 2)}\n` +
				`n8n's log ends:\n${tail(n8n.logFile)}`,
			{ cause: error },
		);
	}
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			once: { type: 'boolean', default: false },
			watch: { type: 'boolean', default: false },
			dialect: { type: 'string', default: 'assumed' },
			service: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return console.log(help);
	if (![undefined, 'pasted'].includes(values.service))
		throw new Error('The only --service is: pasted');
	const dialect = parseDialect(values.dialect);
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		// One Ctrl-C arrives several times, because npm and tsx pass it on.
		process.on(name, () => interruption.abort());
	}
	try {
		if (values.service === 'pasted') await demonstratePasting();
		else if (values.watch) await demonstrate(dialect, develop, hotReload);
		else await demonstrate(dialect, values.once ? runOnce : show);
	} catch (error) {
		if (!signal.aborted || values.once) throw error;
	}
	console.log(
		values.once
			? '✔ A call ended, and its CRM record was there. Everything is stopped.'
			: 'Everything is stopped.',
	);
}

main().catch((error: unknown) => {
	console.error(`✖ ${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});
