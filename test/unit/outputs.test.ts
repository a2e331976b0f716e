import { type IExecuteFunctions, type ILoadOptionsFunctions, NodeHelpers } from 'n8n-workflow';

import { type ReceivedEvent, returnItems, toItems } from '../../nodes/VoiceAgent/delivery/item';
import { getOutputs } from '../../nodes/VoiceAgent/trigger/description';
import { VoiceAgentTrigger } from '../../nodes/VoiceAgent/VoiceAgentTrigger.node';
import { judged } from '../support/events/judging';
import { inWorkflow } from '../support/n8n/inWorkflow';

const trigger = new VoiceAgentTrigger();

const parametersOf = (events: unknown, value?: string) => ({
	events: events as string[],
	options: value === undefined ? {} : { outputs: { __rl: true, mode: 'list', value } },
});

/** The outputs that the list in the editor offers. */
async function offered(events: unknown, value?: string) {
	const getCurrentNodeParameters = () => parametersOf(events, value);
	const { results } = await getOutputs.call({
		getCurrentNodeParameters,
	} as unknown as ILoadOptionsFunctions);
	return results.map((result) => ({ name: result.name, value: String(result.value) }));
}

/** The outputs on the canvas, as n8n evaluates the node's description. */
function onCanvas(events: unknown, value?: string) {
	const { workflow, node } = inWorkflow(trigger, parametersOf(events, value));
	return NodeHelpers.getNodeOutputs(workflow, node, trigger.description).map((output) =>
		typeof output === 'string' ? output : output.displayName,
	);
}

const three = ['call.completed', 'call.failed', 'call.started'];

test.each([
	['no outputs are chosen', three, undefined],
	['the value is an expression', three, '={{ $json.outputs }}'],
])('the trigger has one output if %s', (_name, events, value) => {
	expect(onCanvas(events, value)).toEqual(['main']);
});

test.each([
	['each of three events', three, [...three, 'Other']],
	['every event', ['*'], ['Other']],
	['an expression', '={{ ["call.completed"] }}', ['Other']],
])('the list offers an output for %s, and one for all others', async (_name, events, names) => {
	const [only, ...others] = await offered(events);
	expect(others).toEqual([]);
	expect(onCanvas(events, only?.value)).toEqual(names);
});

test('a change of the events moves no output', () => {
	const value = [...three, 'Other'].join(', ');
	expect(onCanvas([three[2], 'call.transcribed'], value)).toEqual([...three, 'Other']);
	expect(onCanvas([], value)).toEqual([...three, 'Other']);
});

test('a new event has its output behind the present ones', async () => {
	const value = [...three, 'Other'].join(', ');
	expect(await offered([three[2], 'call.transcribed'], value)).toEqual([
		{ name: `${value}, call.transcribed`, value: `${value}, call.transcribed` },
	]);
});

/** Runs the trigger with events. @returns the items at their outputs, and the custom data of the execution */
function run(events: ReceivedEvent[], names: string[]) {
	const parameters = parametersOf([], names.join(', '));
	const main = [toItems(events)];
	const shown: Record<string, string> = {};
	const customData = { set: (key: string, value: string) => (shown[key] = value) };
	const context = {
		getNode: () => ({ parameters }),
		getExecuteData: () => ({ data: { main } }),
		getWorkflowDataProxy: () => ({ $execution: { customData } }),
	};
	return { items: returnItems(context as unknown as IExecuteFunctions), shown };
}

/** The items of events at their outputs, as the execution hands them on. */
function dealt(events: Array<{ type?: string; json: { number: number } }>, names: string[]) {
	const received = events.map((event) => ({ ...event, customData: { event: event.type } }));
	return run(received as unknown as ReceivedEvent[], names).items;
}

// Promise: Each event comes out at the output of its type, once.
test('each event has one item, at the output of its type', () => {
	const names = ['call.completed', 'Other', 'call.started'];
	const events = ['call.started', 'call.failed', 'call.completed', undefined, 'call.started'].map(
		(type, number) => ({ type, json: { number } }),
	);
	const numbers = dealt(events, names).map((items) => items.map(({ json }) => json.number));
	expect(numbers).toEqual([[2], [1, 3], [0, 4]]);
	expect(dealt(events, [])).toEqual([events.map(({ json }) => ({ json }))]);
});

test.each([
	[['call.*', 'Other'], 'chat.ended', 'Other'],
	[['call.*', 'call.completed', 'Other'], 'call.completed', 'call.completed'],
	[['chat.*', 'call.*', '*.completed', 'Other'], 'call.completed', 'call.*'],
])('of the outputs %j, an event of type %s is at %s', (names, type, output) => {
	const items = dealt([{ type, json: { number: 1 } }], names);
	expect(names.filter((_name, at) => items[at]!.length > 0)).toEqual([output]);
});

/** The custom data of the execution of a delivery. */
function shownOf(body: unknown) {
	const decision = judged({ body });
	return run(decision.kind === 'accepted' ? decision.events : [], []).shown;
}

test('an execution shows the calls of its events, and no number', () => {
	const event = (data: object) => ({ type: 'call.completed', data });
	const call = { call_id: 'call_1', direction: 'inbound', from: '+14155550100' };
	const body = [event(call), event(call), { ...event({ status: 'ended' }), id: 9 }];
	expect(shownOf(body)).toEqual({ call: 'call_1, 9', event: 'call.completed' });
});

test('an execution shows the beginning of a long list of calls', () => {
	const ids = Array.from({ length: 100 }, (_, at) => `call ${at}`);
	const { call } = shownOf(ids.map((id) => ({ type: 'call.completed', id })));
	expect(call).toMatch(/^call 0, call 1, .{239}$/);
});
