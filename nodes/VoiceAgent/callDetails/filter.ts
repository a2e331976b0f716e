/** The option Only Calls That Match: the user's conditions for calls. */
import type { INodeProperties } from 'n8n-workflow';

import type { CallDetails } from './callDetails';

/** The conditions as n8n stores them. A field that is missing, empty, 0, `any` or false is no condition. */
export interface CallFilter {
	direction?: string;
	hasPerson?: boolean;
	minDurationSeconds?: number;
	/** Separated by commas, as the agents. */
	outcomes?: string;
	/** IDs or names. */
	agents?: string;
}

/**
 * Finds the condition that a call does not meet. A detail that is null meets every condition, so that
 * an event that does not state it starts the workflow. Of an agent, a stated ID or name is compared.
 *
 * `{ direction: 'inbound' }` and an outbound call → `direction is outbound`
 *
 * @param disposition the stated outcome; null if the call's outcome is only how the call ended
 * @returns undefined if the workflow starts
 */
export function findUnmet(
	filter: CallFilter,
	call: CallDetails,
	disposition: string | null,
): string | undefined {
	const { direction, durationSeconds, agent, person } = call;
	const isFree = ['any', undefined, direction].includes(filter.direction);
	if (direction !== null && !isFree) return `direction is ${direction}`;
	if (filter.hasPerson && ['withheld', 'web'].includes(person)) return `person is ${person}`;
	if (durationSeconds !== null && durationSeconds < (filter.minDurationSeconds ?? 0)) {
		return `durationSeconds is ${durationSeconds}`;
	}
	if (!isAmong([disposition], filter.outcomes)) return `outcome is ${disposition}`;
	if (!isAmong([agent.id, agent.name], filter.agents)) {
		return `agent is ${agent.name ?? agent.id}`;
	}
	return undefined;
}

/**
 * Compares whole texts with those of a list. No stated text, or an empty list, is a match. Neighbours in the
 * list are also one text with commas: `Smith, John` and the agent `Smith, John` → true
 */
function isAmong(texts: Array<string | null>, list: unknown): boolean {
	const stated = texts.filter((text) => text !== null);
	const entries = plain(String(list ?? ''));
	if (stated.length === 0 || /^,*$/.test(entries)) return true;
	return stated.some((text) => `,${entries},`.includes(`,${plain(text)},`));
}

/** `Appointment_Booked`, `appointment booked` → `appointmentbooked` */
function plain(text: string): string {
	return text.toLowerCase().replace(/[\s_-]/g, '');
}

/** The option in the editor. */
export const filterProperty: INodeProperties = {
	displayName: 'Only Calls That Match',
	name: 'onlyCalls',
	type: 'fixedCollection',
	placeholder: 'Add Filter',
	default: {},
	description:
		'Start the workflow only for calls that meet all of these conditions, which saves executions. An event that does not state a detail starts it.',
	options: [
		{
			displayName: 'Filter',
			name: 'filter',
			values: [
				{
					displayName: 'Agents',
					name: 'agents',
					type: 'string',
					noDataExpression: true,
					default: '',
					placeholder: 'e.g. Reception, agent_42',
					description:
						'Names or IDs of agents, separated by commas. Empty means every agent. If your events hold only IDs of agents, enter IDs.',
				},
				{
					displayName: 'Direction',
					name: 'direction',
					type: 'options',
					noDataExpression: true,
					options: [
						{ name: 'Any', value: 'any' },
						{ name: 'Inbound', value: 'inbound' },
						{ name: 'Outbound', value: 'outbound' },
					],
					default: 'any',
					description: 'Whether the customer called, or was called',
				},
				{
					displayName: 'Has Customer',
					name: 'hasPerson',
					type: 'boolean',
					noDataExpression: true,
					default: false,
					description: 'Whether to leave out calls with a hidden number, and calls from a website',
				},
				{
					displayName: 'Minimum Seconds',
					name: 'minDurationSeconds',
					type: 'number',
					noDataExpression: true,
					typeOptions: { minValue: 0 },
					default: 0,
					description: 'Leave out shorter calls. 0 means every duration.',
				},
				{
					displayName: 'Outcomes',
					name: 'outcomes',
					type: 'string',
					noDataExpression: true,
					default: '',
					placeholder: 'e.g. appointment_booked',
					description:
						'Outcomes as the events state them, separated by commas. Empty means every outcome.',
				},
			],
		},
	],
};
