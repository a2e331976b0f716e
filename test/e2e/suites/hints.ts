/** The hints below the output of a trigger, after _Execute step_. */
import type { IDataObject } from 'n8n-workflow';
import { namedDialects } from '../../../sandbox/dialects';
import { sampleData } from '../../../sandbox/service/events';
import { until } from '../../../sandbox/stack/until';
import { triggerNode } from '../../support/triggerNode';
import { type Service, sharedN8n, startService } from '../harness';

const GERMAN = {
	anrufer: { nummer: '+49 30 23125014', mail: 'grace@example.com' },
	aufnahme: 'https://files.example/1.mp3',
};
const OUTBOUND = sampleData('call.completed', { kind: 'outbound' });
const MAPPED = {
	callDetailsMapping: {
		fields: [{ detail: 'customer.phone', path: 'data.anrufer.nummer' }],
	},
};
/** The hints for a call: all of it, and the words that only this call's hints have. */
const CALLS: Array<[string, object, IDataObject, string[]]> = [
	[
		'a call of another language',
		GERMAN,
		{},
		[
			'"data.anrufer.nummer" looks like a phone number: map it to Customer Phone, in Options → Call Details Mapping.',
			'"data.anrufer.mail" looks like an e-mail address: map it to Customer Email, in Options → Call Details Mapping.',
			'"data.aufnahme" looks like a recording: map it to Recording URL, in Options → Call Details Mapping.',
		],
	],
	[
		'a call with one mapped field, which the filter excludes',
		{ ...GERMAN, direction: 'inbound' },
		{ ...MAPPED, onlyCalls: { filter: { direction: 'outbound' } } },
		[
			expect.stringMatching(/^Only Calls That Match would leave this call out: .*inbound/),
			expect.stringContaining('"data.anrufer.mail"'),
			expect.stringContaining('"data.aufnahme"'),
		],
	],
	['a call that holds all details', OUTBOUND, {}, []],
];

let service: Service;
beforeAll(async () => {
	service = await startService(sharedN8n().stack, namedDialects.assumed);
});
afterAll(async () => await service?.sandbox.stop());

/** Runs a trigger with a call. @returns the hints of its run; none if the run has no field for them */
async function executeStep(call: object, options: IDataObject): Promise<string[]> {
	const { api } = sharedN8n().stack.n8n;
	const node = triggerNode(service.credentials.authorization.id, {
		events: ['call.completed'],
		options: { testEvent: 'real', ...options },
	});
	const { id } = await api.createWorkflow({ name: 'Hints', connections: {}, nodes: [node] });
	await api.run(id, node.name);
	const { sandbox } = service;
	await until('the test listener', 30, () => sandbox.endpoints().length === 1);
	sandbox.emit('call.completed', call);
	const { id: executionId } = await until('the execution', 60, async () => {
		return (await api.executions(id))[0];
	});
	const { data } = await api.finishedExecution(executionId);
	await until('the end of the listener', 30, () => sandbox.endpoints().length === 0);
	return (data.resultData.runData[node.name]?.[0]?.hints ?? []).map(({ message }) => message);
}

test.each(CALLS)('%s', async (_name, call, options, hints) => {
	expect(await executeStep(call, options)).toEqual(hints);
});
