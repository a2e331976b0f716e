import { randomUUID } from 'node:crypto';
import { createEvent } from '../../sandbox/service/events';
import { signatureHeaders } from '../../sandbox/service/signatures';
import type { Stack } from '../../sandbox/stack/stack';
import { compare, type Load, loadInTurns, MINIMAL, openTriggers, type Target } from './loads';
import { mapped } from './measure';

/** Each request is an event of its own: see `sendLoad`. */
const body = JSON.stringify({ ...createEvent('call.completed'), id: 'evt_[<id>]' });
/** A signature is of the very bytes. */
const bodyToSign = JSON.stringify(createEvent('call.completed'));
const notSelected = JSON.stringify(createEvent('call.started'));

/**
 * Sends deliveries to triggers in one real n8n: accepted deliveries, deliveries without a callback
 * token, and deliveries of an event type that is not selected.
 *
 * @param rounds of the accepted deliveries. An execution takes a different time in each round
 */
export async function measureDeliveries(stack: Stack, rounds: number, requests: number) {
	await using triggers = await openTriggers(stack, body);
	const { publishOurs, peerOf } = triggers;
	const load = { requests, connections: 10 };
	const inRounds = (share: number, targets: Record<string, Target>, more: Partial<Load> = {}) => {
		const times = Math.ceil(rounds * share);
		return loadInTurns(times, mapped(targets, peerOf), { ...load, ...more });
	};
	const minimal = await triggers.publishMinimal();
	const plain = await publishOurs();
	const fields = [
		{ detail: 'customer.phone', path: 'data.from' },
		{ detail: 'customer.name', path: 'data.customer.name' },
		{ detail: 'startedAt', path: 'data.started_at' },
	];
	const signed = await publishOurs({ parameters: { options: { verifySignature: true } } });
	const accepted = await inRounds(1, {
		[MINIMAL]: minimal,
		plain,
		mapped: await publishOurs({ parameters: { options: { callDetailsMapping: { fields } } } }),
		signed: {
			...signed,
			body: bodyToSign,
			headers: () =>
				signatureHeaders('standard-webhooks', `msg_${randomUUID()}`, bodyToSign, {
					endpoint: signed.secret,
					workspace: '',
				}),
		},
	});
	const notRun = { isRun: false };
	const refused = await inRounds(
		0.4,
		{
			[MINIMAL]: { url: `${minimal.url}?answer=refuse`, body, status: 401 },
			ours: { url: plain.url.split('?')[0] ?? '', body, status: 401 },
		},
		notRun,
	);
	const ignored = await inRounds(
		0.4,
		{
			[MINIMAL]: { url: `${minimal.url}?answer=ignore`, body },
			ours: { url: plain.url, body: notSelected },
		},
		notRun,
	);
	return [
		{
			name: 'accepted',
			comparisons: [
				...compare('accepted', accepted, ['plain', MINIMAL], 0.03),
				...compare('with a mapping', accepted, ['mapped', 'plain'], 0.03),
				...compare('signed', accepted, ['signed', MINIMAL], 0.05),
			],
		},
		{
			name: 'not-run',
			comparisons: [
				...compare('without the token', refused, ['ours', MINIMAL], 0.03),
				...compare('not selected', ignored, ['ours', MINIMAL], 0.03),
			],
		},
	];
}
