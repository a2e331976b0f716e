import { fc } from '../random';
import type { DrawnOf } from './production';

/** The one event type that the contract names. */
const NAMED_BY_CONTRACT = 'call.completed';

/** How the other event types are called: the n-th of each. One group's stand together. */
const NAMES = {
	dots: 'call.started call.ringing call.transferred chat.opened chat.closed agent.updated tool.failed tool.called billing.due usage.reported',
	underscores:
		'call_started call_ringing call_transferred chat_opened chat_closed agent_updated tool_failed tool_called billing_due usage_reported',
	colons:
		'call:started call:ringing call:transferred chat:opened chat:closed agent:updated tool:failed tool:called billing:due usage:reported',
	slashes:
		'call/started call/ringing call/transferred chat/opened chat/closed agent/updated tool/failed tool/called billing/due usage/reported',
	camelCase:
		'callStarted callRinging callTransferred chatOpened chatClosed agentUpdated toolFailed toolCalled billingDue usageReported',
	dashes:
		'call-started call-ringing call-transferred chat-opened chat-closed agent-updated tool-failed tool-called billing-due usage-reported',
	capitals:
		'CALL_STARTED CALL_RINGING CALL_TRANSFERRED CHAT_OPENED CHAT_CLOSED AGENT_UPDATED TOOL_FAILED TOOL_CALLED BILLING_DUE USAGE_REPORTED',
	pascalCase:
		'CallStarted CallRinging CallTransferred ChatOpened ChatClosed AgentUpdated ToolFailed ToolCalled BillingDue UsageReported',
	versions:
		'call.completed.v2 call.started.v1 call.started.v2 chat.opened.v1 chat.closed.v1 chat.closed.v3 agent.updated.v1 tool.failed.v1 tool.called.v1 billing.due.v1',
	oneWord: 'ringing transferred opened closed updated failed called due reported busy',
	deep: 'call.recording.ready call.recording.failed call.leg.added chat.message.sent chat.message.read agent.version.live agent.version.gone tool.run.failed billing.invoice.due usage.month.over',
	endingsOfOthers:
		'outbound.call.completed call.completed.late test.call.completed call.complete chat.call.completed web.call.completed call.completed.again inbound.call.completed sip.call.completed call.completed.twice',
};

/** A type of the same spelling that no catalog names. */
const UNKNOWN: Record<keyof typeof NAMES, string> = {
	dots: 'device.unplugged',
	underscores: 'device_unplugged',
	colons: 'device:unplugged',
	slashes: 'device/unplugged',
	camelCase: 'deviceUnplugged',
	dashes: 'device-unplugged',
	capitals: 'DEVICE_UNPLUGGED',
	pascalCase: 'DeviceUnplugged',
	versions: 'device.unplugged.v1',
	oneWord: 'unplugged',
	deep: 'device.power.unplugged',
	endingsOfOthers: 'device.unplugged',
};

/** The catalog of event types: their names, and what it shows them as. */
export const catalogAxes = {
	names: Object.fromEntries(
		Object.keys(NAMES).map((style) => [style, { others: fc.integer({ min: 1, max: 10 }) }]),
	) as unknown as Record<keyof typeof NAMES, { others: fc.Arbitrary<number> }>,
	wildcards: { none: {}, star: {}, family: {}, both: {} },
	catalogEntry: {
		text: {},
		object: {
			key: fc.constantFrom(
				'name',
				'type',
				'event',
				'id',
				'slug',
				'key',
				'event_type',
				'value',
				'code',
			),
		},
		nonsenseKey: { key: fc.constantFrom('zorp', 'blib', 'quux') },
		belowId: { name: fc.constantFrom('attributes', 'node', 'blib') },
		groupsByName: {},
		/** With what their names have in common as the groups' names alone. */
		shortNamesByGroup: {},
		groups: {
			label: fc.constantFrom('name', 'category', 'group', 'label'),
			list: fc.constantFrom('events', 'types', 'event_types', 'items', 'blib'),
		},
		mapToText: {},
		mapToObject: {},
	},
	/** What stands in an entry beside the name. */
	catalogNoise: { none: {}, idAndLabel: {}, kind: {}, scope: {}, sample: {}, lists: {} },
} as const;

type Service = DrawnOf<typeof catalogAxes>;
type Json = Record<string, unknown>;

/** The names of the catalog, wildcards included. */
export function namesOf({ names, wildcards }: Service): string[] {
	const { kind, others } = names;
	const listed = [NAMED_BY_CONTRACT, ...NAMES[kind].split(' ').slice(0, others)];
	// In the middle, so that no reader can count on where it stands.
	listed.splice(0, 2, ...listed.slice(0, 2).reverse());
	if (wildcards.kind === 'star' || wildcards.kind === 'both') listed.unshift('*');
	if (wildcards.kind === 'family' || wildcards.kind === 'both') listed.push('call.*');
	return listed;
}

/** The names that an event can have. */
export const typesOf = (service: Service) => namesOf(service).filter((name) => !name.endsWith('*'));

/** A type that is not in the catalog, and like those that are. */
export const unknownTypeOf = ({ names }: Service) => UNKNOWN[names.kind];

/** Tells whether event types as subscribed to, which may be wildcards, hold a type. None hold all. */
export function holds(subscribed: string[], type: string): boolean {
	return (
		subscribed.length === 0 ||
		subscribed.some((name) =>
			name.endsWith('*') ? type.startsWith(name.slice(0, -1)) : name === type,
		)
	);
}

/** What stands where the catalog's list stands: entries, or one object in place of a list. */
export function catalogOf(service: Service): unknown[] | Json {
	const { catalogEntry } = service;
	const names = namesOf(service);
	switch (catalogEntry.kind) {
		case 'text':
			return names;
		case 'object':
		case 'nonsenseKey':
			return names.map((name, n) => ({
				...beside(service, n, catalogEntry.key),
				[catalogEntry.key]: name,
			}));
		case 'belowId':
			return names.map((name, n) => ({
				id: `et_${n}`,
				[catalogEntry.name]: { ...beside(service, n, 'name'), name },
			}));
		case 'groupsByName':
			return groupsOf(names);
		case 'shortNamesByGroup':
			return Object.fromEntries(
				Object.entries(groupsOf(names)).map(([group, held]) => [
					group,
					held.map((name) => name.slice(group.length + 1)),
				]),
			);
		case 'groups':
			return Object.entries(groupsOf(names)).map(([group, held]) => ({
				[catalogEntry.label]: group,
				[catalogEntry.list]: held,
			}));
		case 'mapToText':
			return Object.fromEntries(names.map((name, n) => [name, describeType(n)]));
		case 'mapToObject':
			return Object.fromEntries(names.map((name, n) => [name, { description: describeType(n) }]));
	}
}

/** Whether entries of the catalog have an id after which a reader could ask for more. */
export function hasIds({ catalogEntry, catalogNoise }: Service): boolean {
	if (catalogEntry.kind === 'belowId') return true;
	return catalogEntry.kind === 'object' && catalogNoise.kind === 'idAndLabel';
}

/** Whether the catalog is one object, which can't come in pages. */
export function isOneObject({ catalogEntry }: Service): boolean {
	return /^map|By(Name|Group)$/.test(catalogEntry.kind);
}

function beside({ catalogNoise }: Service, n: number, key: string): Json {
	switch (catalogNoise.kind) {
		case 'none':
			return {};
		case 'idAndLabel':
			return {
				id: `5e7c${String(n).padStart(4, '0')}-0b1d-4c2e-9f3a-6a7b8c9d0e1f`,
				label: 'Something Happened',
				title: 'Happened',
				description: describeType(n),
			};
		case 'kind':
			return key === 'type' ? { object: 'event_type' } : { type: 'event_type', group: 'calls' };
		case 'scope':
			return { scope: 'calls:read', since: '2025.04', description: describeType(n) };
		case 'lists':
			return { fields: ['call.id', 'call.duration'], permissions: ['calls:read'] };
		case 'sample':
			return { description: describeType(n), sample: { seq: n, data: { status: 'done' } } };
	}
}

function describeType(n: number): string {
	return `Sent when thing ${n} has happened, once.`;
}

function groupsOf(names: string[]): Record<string, string[]> {
	const groups: Record<string, string[]> = {};
	for (const name of names)
		(groups[/^[a-z]+/i.exec(name)?.[0]?.toLowerCase() ?? 'all'] ??= []).push(name);
	return groups;
}
