import type { DeliverySettings } from '../../../nodes/VoiceAgent/trigger/settings';
import {
	decide,
	type Delivery,
	type TriggerFacts,
} from '../../../nodes/VoiceAgent/delivery/decide';

/** Judges a delivery with the selection `call.completed`, unless the settings select others. */
export function judged(
	delivery: Partial<Delivery>,
	settings: Partial<DeliverySettings> = {},
	facts: Partial<TriggerFacts> = {},
) {
	return decide(
		{ headers: {}, rawBody: Buffer.alloc(0), body: undefined, ...delivery },
		{
			catalog: CATALOG,
			signingSecrets: [],
			endpointIds: [],
			manual: false,
			now: 1_700_000_000_000,
			...facts,
		},
		{
			events: ['call.completed'],
			isPasted: false,
			onlyCalls: undefined,
			verifySignature: false,
			output: 'event',
			detailOptions: {},
			deliveryDetails: false,
			...settings,
		},
	);
}

/** @returns the items that start the workflow, or the kind of the decision if it does not start */
export function outcomeOf(...sent: Parameters<typeof judged>): unknown {
	const decision = judged(...sent);
	return decision.kind === 'accepted' ? decision.events.map(({ json }) => json) : decision.kind;
}

const CATALOG = ['call.started', 'call.completed', 'call.failed', 'chat.ended', 'agent.updated'];
export const CALL = {
	call_id: 'call_81',
	direction: 'inbound',
	from: '+14155550100',
	to: '+493055501',
	started_at: '2026-01-31T09:01:00Z',
	ended_at: '2026-01-31T09:04:10Z',
	duration_seconds: 190,
};
export const COMPLETED = { id: 'e2', type: 'call.completed', data: CALL };
export const FAILED = { id: 'e3', type: 'call.failed', data: CALL };
export const PAST = [{ type: 'call.started' }, { type: 'call.failed' }];

/** A delivery in the form of a well-known service. */
export type Case = [name: string, body: unknown, headers?: Delivery['headers']];
