import { readCall } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { readMapping } from '../../nodes/VoiceAgent/callDetails/mapping';
import { findUnmet, readFilter } from '../../nodes/VoiceAgent/trigger/callFilter';
import { judged } from '../support/events/judging';

const call = {
	call_id: 'call_81',
	direction: 'inbound',
	from: '+14155550100',
	to: '+493055501',
	duration_seconds: 190,
	outcome: 'Booked',
	agent: { id: 'agent_42', name: 'Reception' },
};
const unmet = (filter: object, event: object = call) => {
	const { details, disposition } = readCall({ ...event }, {});
	const { condition, reason } = findUnmet(readFilter({ filter })!, details, disposition) ?? {};
	return condition && `${condition}: ${reason}`;
};

test.each([
	['no condition', {}],
	['the direction', { direction: 'inbound' }],
	['any direction', { direction: 'any' }],
	['a customer', { hasPerson: true }],
	['the duration', { minDurationSeconds: 190 }],
	['an outcome in another spelling', { outcomes: 'Book-_ed' }],
	['the name of the agent', { agents: 'reception' }],
	['the ID of the agent', { agents: 'Sales, Agent 42' }],
	['the number that was called', { agents: 'Sales, +49 (0)30 55501' }],
	['the number in national form', { agents: '030 55501' }],
])('a call meets %s', (_name, filter) => expect(unmet(filter)).toBeUndefined());

test.each<[object, string, object?]>([
	[{ direction: 'outbound' }, 'Direction: its direction is inbound'],
	[{ minDurationSeconds: 191 }, 'Minimum Seconds: its duration is 190 seconds'],
	[{ outcomes: 'book' }, 'Outcomes: its outcome is Booked'],
	[{ outcomes: '✓' }, 'Outcomes: its outcome is Booked'],
	[{ agents: 'Recep, agent_4' }, 'Agents: its agent is Reception'],
	[{ agents: 'Sales' }, 'Agents: its agent is agent_42', { ...call, agent: { id: 'agent_42' } }],
	[{ agents: '+49 30 55502' }, 'Agents: its agent is +493055501', { ...call, agent: {} }],
	[
		{ agents: '2550199' },
		'Agents: its agent is +442082550199',
		{ ...call, to: '+442082550199', agent: {} },
	],
	[{ hasPerson: true }, 'Has Customer: it is with a hidden number', { ...call, from: 'anonymous' }],
	[{ hasPerson: true }, 'Has Customer: it is with a website visitor', { call_type: 'web_call' }],
	[{ direction: 'inbound', outcomes: 'lost' }, 'Outcomes: its outcome is Booked'],
])('%j excludes a call: %s', (...[filter, reason, event]) => {
	expect(unmet(filter, event)).toBe(reason);
});

test.each<[string, unknown, boolean]>([
	['Smith, John', 'john, smith', false],
	['Smith, Anna', 'Smith, John, Smith, Anna', true],
	['John, Sm', 'John, Smith', false],
	['Sales', ['Sales', 'Reception'], true],
])('the agent %j among %j: %p', (name, agents, isMet) => {
	expect(unmet({ agents }, { ...call, agent: { name } }) === undefined).toBe(isMet);
});

test('a call that states only the number of its agent meets a list of names, and one without it a list of numbers', () => {
	expect(unmet({ agents: 'Sales' }, { ...call, agent: {} })).toBeUndefined();
	expect(unmet({ agents: '+49 30 55502' }, { ...call, to: undefined })).toBeUndefined();
});

test.each<[string, object]>([
	['status', { status: 'completed' }],
	['reason of its end', { disconnection_reason: 'user_hangup' }],
])('a call that states only a %s meets every outcome', (_name, stated) => {
	const event = { ...call, outcome: null, ...stated };
	expect(readCall({ ...event }, {}).details.outcome).not.toBeNull();
	expect(unmet({ outcomes: 'booked' }, event)).toBeUndefined();
});

test('a mapped outcome is an outcome', () => {
	const { mapping } = readMapping({ fields: [{ detail: 'outcome', path: 'status' }] });
	const { details, disposition } = readCall({ ...call, status: 'lost' }, { mapping });
	const filter = readFilter({ filter: { outcomes: 'booked' } })!;
	expect(findUnmet(filter, details, disposition)).toEqual({
		condition: 'Outcomes',
		reason: 'its outcome is lost',
	});
});

test.each([
	['an event that is no call', { type: 'agent.updated', id: 'a1' }],
	['a call without details', { call_id: 'c1', status: 'x' }],
])('every condition lets %s start the workflow', (_name, event) => {
	const filter = {
		direction: 'outbound',
		hasPerson: true,
		minDurationSeconds: 60,
		outcomes: 'booked',
		agents: 'Sales',
	};
	expect(unmet(filter, event)).toBeUndefined();
});

test('an option without its filter is no condition', () => {
	expect(readFilter({})).toBeUndefined();
	expect(readFilter({ filter: null })).toBeUndefined();
	expect(readFilter(undefined)).toBeUndefined();
});

describe('a delivery', () => {
	const onlyCalls = readFilter({ filter: { direction: 'outbound' } });
	const event = (direction: string) => ({ type: 'call.completed', data: { ...call, direction } });

	test.each(['both', 'details', 'event'] as const)(
		'with an excluded call starts nothing, with the output %s',
		(output) => {
			const ignored = {
				kind: 'ignored',
				type: 'call.completed',
				unmet: { condition: 'Direction', reason: 'its direction is inbound' },
			};
			expect(judged({ body: event('inbound') }, { onlyCalls, output })).toEqual(ignored);
		},
	);

	test('starts a test execution in the editor', () => {
		expect(judged({ body: event('inbound') }, { onlyCalls }, { manual: true })).toMatchObject({
			kind: 'accepted',
		});
	});

	test('with several events starts the workflow with those that match', () => {
		const body = [event('inbound'), event('outbound'), { type: 'call.started' }];
		expect(judged({ body }, { onlyCalls })).toMatchObject({
			kind: 'accepted',
			events: [{ json: { data: { direction: 'outbound' } } }],
		});
	});
});
