import { until } from '../../../sandbox/stack/until';
import { shortened } from '../../compat/needs';
import { readDatabase } from '../../support/n8n/database';
import { addStandIns, service, setUp, stack, standIn, useService } from '../harness';

/** The error status of Vault; undefined if Vault stores secrets. */
let vaultStatus: number | undefined;
/** The body of the last request that stored the secret. */
let stored: object | undefined;

addStandIns({
	'vault.example.com': {
		'GET /v1/secret/data/*': (_request, reply) => {
			if (stored && !vaultStatus) return { data: { ...stored, metadata: { version: 1 } } };
			void reply.code(vaultStatus ?? 404);
			return { errors: [] };
		},
		'POST /v1/secret/data/*': ({ body }, reply) => {
			if (vaultStatus) {
				void reply.code(vaultStatus);
				return { errors: ['permission denied'] };
			}
			stored = body as object;
			return { data: { version: 1, destroyed: false, deletion_time: '' } };
		},
	},
});
useService({}, true);
beforeEach(() => void (vaultStatus = stored = undefined));

const name = 'CRM sync';

const keysOf = () => service.sandbox.keys().filter((key) => key.name === name);
/** @returns the data of the last request to Vault */
const handedOver = () => {
	const { body } = standIn.take().at(-1) ?? {};
	return (body as { data: { api_key: string; api_key_id: string } }).data;
};

/** Runs the workflow, which keeps no execution, until its execution is deleted. */
async function rotate(workflowId: string): Promise<void> {
	const { api } = stack.n8n;
	const id = await api.run(workflowId, 'Every three months');
	await until('the end of the run, and the deletion of its execution', 60, async () => {
		const runs = await api.executions(workflowId);
		return runs.every((each) => each.id !== id);
	});
}

test('the previous key is revoked by the next rotation', async () => {
	const { sandbox } = service;
	sandbox.createKey(name);
	sandbox.createKey('Another');
	// The API key of the workflow itself has this scope.
	sandbox.createKey(name, ['workspace:admin']);
	const others = sandbox
		.keys()
		.filter((key) => key.name !== name || key.scopes.includes('workspace:admin'));
	const workflowId = await setUp('rotate-api-key');
	await rotate(workflowId);
	// The store held no key yet, so nobody knows which key is in use.
	expect(keysOf()).toHaveLength(3);
	const previous = handedOver().api_key_id;
	await rotate(workflowId);

	const request = standIn.take().at(-1);
	expect(request).toMatchObject({
		path: '/v1/secret/data/voice-agent/crm-sync',
		headers: { 'x-vault-token': 'hvs.stand-in', 'content-type': 'application/json' },
	});
	const { data } = request?.body as { data: { api_key: string; api_key_id: string } };
	expect(data.api_key).toMatch(/^svc_live_/);
	const scopes = ['calls:read', 'calls:write'];
	expect(sandbox.keys()).toMatchObject([
		...others,
		{ id: previous, name, scopes },
		{ id: data.api_key_id, name, prefix: data.api_key.slice(0, 15), scopes },
	]);
	expect(executionsWith(data.api_key)).toEqual([]);
});

test.each(shortened([403, 502]))('no key is revoked while the store answers %i', async (status) => {
	const workflowId = await setUp('rotate-api-key');
	await rotate(workflowId);
	const inUse = handedOver().api_key_id;
	vaultStatus = status;
	await rotate(workflowId);
	expect(keysOf()).toHaveLength(2);
	handedOver();
	vaultStatus = undefined;
	await rotate(workflowId);
	expect(keysOf().map(({ id }) => id)).toEqual([inUse, handedOver().api_key_id]);
});

test('n8n keeps no execution of the published workflow', async () => {
	const { api } = stack.n8n;
	service.sandbox.createKey(name);
	const [first] = keysOf();
	const workflowId = await setUp('rotate-api-key', (workflow) => {
		const schedule = workflow.nodes.find(({ type }) => type.endsWith('scheduleTrigger'));
		// Two rules, since older n8n drops one that it registers in the last milliseconds of a second.
		const interval = [1, 2].map((secondsInterval) => ({ field: 'seconds', secondsInterval }));
		Object.assign(schedule?.parameters ?? {}, { rule: { interval } });
		return workflow;
	});
	await api.publish(workflowId);
	await until('the first key to be revoked', 60, () =>
		keysOf().every(({ id }) => id !== first?.id),
	);
	await api.unpublish(workflowId);
	const deletion = 'the deletion of the executions';
	await until(deletion, 60, async () => (await api.executions(workflowId)).length === 0);
	for (const { body } of standIn.take().filter(({ method }) => method === 'POST')) {
		expect(executionsWith((body as { data: { api_key: string } }).data.api_key)).toEqual([]);
	}
});

/** @returns the executions in n8n's database whose data contains the text */
function executionsWith(text: string): unknown[] {
	return readDatabase(stack.n8n, (database) =>
		database.prepare('SELECT executionId FROM execution_data WHERE instr(data, ?)').all(text),
	);
}
