import { readFileSync } from 'node:fs';

import type { INodeParameters } from 'n8n-workflow';

import { type FaultChooser, type Sandbox, startSandbox } from '../../../sandbox/service';
import { chosenLine } from '../../../sandbox/stack/install-n8n';
import { isFulfilled, until } from '../../../sandbox/stack/until';
import { NodeInWorkflow } from '../../support/n8n/core';
import { N8nLifecycle } from '../../support/n8n/lifecycle';
import { chain, nodeOf, triggerNode } from '../../support/n8n/triggerNode';
import { service, stack, useService } from '../harness';

/** A user's action in n8n; `save` publishes again, with a change in another node only. */
type Action = 'publish' | 'save' | 'unpublish' | 'restart';

/** An action; with the event types that the user selects first, and a fault of the service during it. */
interface Step {
	action: Action;
	events?: string[];
	/** Creates the fault for one run, since a fault may count requests. */
	fault?: () => FaultChooser;
}

/** Answers the first `count` requests with 401, after which the node does not retry. */
const refuse = (count: number) => (): FaultChooser => {
	let left = count;
	return () => (left-- > 0 ? { kind: 'status', status: 401 } : undefined);
};
const refuseAll = refuse(Infinity);

/** Creates the first endpoint, but drops the connection before the answer. */
const loseFirstAnswerToCreate = (): FaultChooser => {
	let left = 1;
	return ({ method }) => (method === 'POST' && left-- > 0 ? { kind: 'drop-after' } : undefined);
};

const steps: Step[] = [
	{ action: 'publish' },
	{ action: 'save' },
	{ action: 'publish', events: ['call.completed', 'call.failed'] },
	{ action: 'restart' },
	{ action: 'unpublish' },
	// The service confirmed the previous removal, so `checkExists` sends no request.
	{ action: 'publish', fault: refuse(1) },
	{ action: 'publish' },
	{ action: 'unpublish', fault: refuseAll },
	// After a failed `delete`, `checkExists` adopts no endpoint. n8n 1.x does not store the failed `delete`.
	{ action: 'publish' },
	{ action: 'unpublish' },
	{ action: 'publish', fault: loseFirstAnswerToCreate },
	{ action: 'unpublish' },
	{ action: 'publish', fault: refuseAll },
	{ action: 'save' },
	{ action: 'unpublish' },
];

/**
 * Runs the steps on a real n8n or its model, with a sandbox of its own.
 *
 * @param perform throws if n8n reports a failed publish
 * @returns the effects of each step on the service
 */
async function runSteps(
	sandbox: Sandbox,
	perform: (action: Action, parameters: INodeParameters) => Promise<void>,
) {
	let events = ['call.completed'];
	const traces = [];
	for (const [index, { action, events: selected, fault }] of steps.entries()) {
		events = selected ?? events;
		const from = sandbox.requests.length;
		sandbox.fault = fault?.();
		const failed = !(await isFulfilled(perform(action, { events, options: {} })));
		sandbox.fault = undefined;
		traces.push({
			step: `${index + 1}: ${action}`,
			failed,
			// The time of a poll decides whether it reads the log.
			requests: sandbox.requests
				.slice(from)
				.filter(({ path }) => !path.endsWith('/deliveries'))
				.map(describeRequest),
			endpoints: sandbox.endpoints().length,
		});
	}
	return traces;
}

function describeRequest({ method, path, status, fault }: Sandbox['requests'][number]): string {
	const isDropped = fault !== undefined && fault !== 'status';
	return `${method} ${path.replace(/[\da-f-]{36}/, 'ID')} ${isDropped ? fault : status}`;
}

async function runAgainstN8n() {
	const { sandbox, credentials } = service;
	const { api, logFile } = stack.n8n;
	const countLines = (text: string) => readFileSync(logFile, 'utf8').split(text).length;
	// n8n before 2.41 activates its triggers before it logs that it has started, n8n 2.41 afterwards.
	const starts = () =>
		countLines(chosenLine() === '2.41' ? 'Added webhook "Trigger"' : 'Editor is now accessible');
	const linesOfStart = chosenLine() === '2.41' ? 2 : 1;
	const trigger = triggerNode('', {}, { credentials });
	const other = nodeOf('Other', 'n8n-nodes-base.noOp');
	let note = 0;
	const nodes = (parameters: INodeParameters) => [
		{ ...trigger, parameters },
		{ ...other, notes: String(note) },
	];
	const { id } = await api.createWorkflow({
		name: 'Trace',
		nodes: nodes({ events: ['call.completed'], options: {} }),
		connections: chain('Trigger', 'Other'),
	});
	return await runSteps(sandbox, async (action, parameters) => {
		if (action === 'restart') {
			const before = starts();
			await stack.n8n.restart();
			await until('the activation', 60, () => starts() >= before + linesOfStart);
			return;
		}
		if (action === 'unpublish') return await api.unpublish(id);
		if (action === 'save') note++;
		await api.updateWorkflow(id, { nodes: nodes(parameters) });
		await api.publish(id);
	});
}

async function runAgainstModel() {
	await using sandbox = await startSandbox();
	const { credential } = sandbox;
	const model = new N8nLifecycle(await NodeInWorkflow.create('voiceAgentTrigger', { credential }));
	return await runSteps(sandbox, async (action, parameters) => {
		// n8n 2.0 publishes as n8n 1.x does.
		if (chosenLine() !== '2.41') {
			if (action === 'restart') return await model.startAs1x();
			if (action === 'unpublish') return await model.unpublishAs1x();
			return await model.publishAs1x(parameters);
		}
		if (action === 'restart') return await model.start();
		if (action === 'unpublish') return await model.unpublish();
		await model.publish(parameters);
	});
}

useService();

// Promise: n8n calls the methods of a trigger in the order for which this was tested.
test('the model calls the methods of a trigger in the order of n8n', async () => {
	expect(await runAgainstModel()).toEqual(await runAgainstN8n());
}, 300_000);
