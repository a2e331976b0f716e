import { randomUUID } from 'node:crypto';
import { HookContext, PollContext } from 'n8n-core';
import { type IDataObject, type INodeParameters, Workflow } from 'n8n-workflow';

import type { EndpointState } from '../../nodes/VoiceAgent/endpoint/endpointState';
import { additionalData } from '../support/additionalData';
import { logAttempt, publishOften, service, usePolling } from '../support/catchUpSetup';
import { asStored } from '../support/n8nCore';
import { loadInProcess, loadPackage, type NodePackage } from '../support/nodePackage';
import { triggerNode } from '../support/triggerNode';

usePolling();

/** A workflow of two triggers, whose static data n8n stores as one blob. */
class TwoTriggers {
	private readonly id = randomUUID();

	private readonly nodes = ['one', 'other'].map((name) => ({
		...triggerNode('', {}, { id: name, name }),
		parameters: { pollTimes: { item: [] }, minAgeMinutes: 0 } as INodeParameters,
	}));

	private stored: IDataObject = {};

	constructor(private readonly types: NodePackage) {}

	/** @returns the state of a trigger in the database */
	stateOf(name: string): EndpointState {
		return (this.stored[`node:${name}`] ?? {}) as EndpointState;
	}

	/** Publishes triggers on one `Workflow` object. @returns polls one of them; each execution is stored */
	async publish(names: string[], events: string[]): Promise<(name: string) => Promise<void>> {
		const { id, nodes, types } = this;
		for (const { name, parameters } of nodes) if (names.includes(name)) parameters.events = events;
		const workflow = new Workflow({
			...{ id, nodes: asStored(nodes), connections: {}, active: true, nodeTypes: types.nodeTypes },
			staticData: asStored(this.stored),
		});
		const store = () => {
			const { __dataChanged: isChanged, ...data } = workflow.staticData;
			if (isChanged) this.stored = asStored(data);
			workflow.staticData.__dataChanged = false;
		};
		const type = types.nodeTypes.getByNameAndVersion('voiceAgentTrigger');
		const n8n = additionalData(types.credentialType, 'https://n8n.example.com/', () => ({
			baseUrl: service.baseUrl,
			apiKey: 'svc_live_0123456789',
		}));
		const pollers = nodes.map(
			({ name }) =>
				new PollContext(workflow, workflow.getNode(name)!, n8n, 'trigger', 'activate', store),
		);
		for (const name of names) {
			const webhookData = {
				...({ httpMethod: 'POST', node: name, path: `${name}/webhook`, workflowId: id } as const),
				webhookDescription: type.description.webhooks![0]!,
				workflowExecuteAdditionalData: n8n,
			};
			const node = workflow.getNode(name)!;
			const context = new HookContext(workflow, node, n8n, 'trigger', 'activate', webhookData);
			const { delete: remove, create } = type.webhookMethods!.default!;
			await remove.call(context);
			await create.call(context);
		}
		store();
		return async (name) => {
			const poller = pollers.find((context) => context.getNode().name === name)!;
			await type.poll!.call(poller);
		};
	}

	/** Logs a missed event of a trigger. */
	miss(name: string, call: string): void {
		logAttempt(call, {}, service.logs[this.stateOf(name).endpoints!.at(-1)!.id]);
	}
}

describe.each([
	['one', 'other'],
	['other', 'one'],
])('of two triggers in a workflow, a poll of %j', (polled, second) => {
	const publishBoth = async () => {
		const triggers = new TwoTriggers(await loadPackage());
		const poll = await triggers.publish([polled, second], ['call.completed']);
		await poll(polled);
		return { triggers, poll };
	};

	test(`stores nothing if %j was published later`.replace('%j', second), async () => {
		const { triggers, poll } = await publishBoth();
		await triggers.publish([second], ['call.started']);
		const states = [polled, second].map((name) => triggers.stateOf(name));
		triggers.miss(polled, 'a');
		await poll(polled);
		expect([polled, second].map((name) => triggers.stateOf(name))).toEqual(states);
	});

	test('stores what was caught up if it was published later itself', async () => {
		const { triggers } = await publishBoth();
		const poll = await triggers.publish([polled], ['call.completed', 'call.started']);
		await poll(polled);
		const state = triggers.stateOf(second);
		triggers.miss(polled, 'a');
		await poll(polled);
		expect(triggers.stateOf(polled).caughtUp).toHaveLength(1);
		expect(triggers.stateOf(second)).toEqual(state);
	});
});

describe('a main process that takes over again', () => {
	/** Publishes in the first process, then lets the second one take over. */
	const publishAndTakeOver = async () => {
		const trigger = await publishOften();
		const { node, lifecycle } = trigger;
		const processes = [node.types, await loadInProcess(0)];
		const takeOver = async (index: number) => {
			node.types = processes[index]!;
			await lifecycle.start('leadershipChange');
			await trigger.pollFor(2);
		};
		const started = jest.fn();
		lifecycle.onStart = started;
		logAttempt('a');
		expect(await trigger.poll()).toEqual(['a']);
		await takeOver(1);
		return { trigger, takeOver, started };
	};

	test('starts nothing that the other one has caught up', async () => {
		const { trigger, takeOver, started } = await publishAndTakeOver();
		logAttempt('b');
		expect(await trigger.poll()).toEqual(['b']);
		await takeOver(0);
		expect(started).toHaveBeenCalledTimes(2);
	});

	test('reads the log of the endpoint that the other one has created', async () => {
		const { trigger, takeOver } = await publishAndTakeOver();
		const { lifecycle } = trigger;
		await lifecycle.publish({ ...lifecycle.published, events: ['*'] });
		service.status = 400;
		await takeOver(0);
		service.status = undefined;
		logAttempt('b');
		expect(await trigger.poll()).toEqual(['b']);
	});
});
