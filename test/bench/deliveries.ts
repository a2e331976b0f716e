import { randomUUID } from 'node:crypto';
import { createEvent } from '../../sandbox/service/events';
import { signatureHeaders } from '../../sandbox/service/signatures';
import type { Stack } from '../../sandbox/stack/stack';
import { compare, loadInTurns, MINIMAL, openTriggers } from './loads';

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
 * @returns the comparisons of each section of the README
 */
export async function measureDeliveries({ n8n }: Stack, rounds: number, requests: number) {
	await using triggers = await openTriggers(n8n);
	const { publishOurs } = triggers;
	const minimal = await triggers.publishMinimal();
	const plain = await publishOurs();
	const fields = [
		{ detail: 'customer.phone', path: 'data.from' },
		{ detail: 'customer.name', path: 'data.customer.name' },
		{ detail: 'startedAt', path: 'data.started_at' },
	];
	const mapped = await publishOurs({ callDetailsMapping: { fields } });
	const signed = await publishOurs({ verifySignature: true });
	const sign = () =>
		signatureHeaders('standard-webhooks', `msg_${randomUUID()}`, bodyToSign, {
			endpoint: signed.secret,
			workspace: '',
		});
	const accepted = await loadInTurns(n8n, rounds, requests, {
		[MINIMAL]: { url: minimal, body },
		plain: { url: plain.url, body },
		mapped: { url: mapped.url, body },
		signed: { url: signed.url, body: bodyToSign, headers: sign },
	});
	const fewer = Math.ceil(rounds * 0.4);
	const refused = await loadInTurns(n8n, fewer, requests, {
		[MINIMAL]: { url: `${minimal}?answer=refuse`, body, status: 401, isRun: false },
		ours: { url: plain.url.split('?')[0] ?? '', body, status: 401, isRun: false },
	});
	const ignored = await loadInTurns(n8n, fewer, requests, {
		[MINIMAL]: { url: `${minimal}?answer=ignore`, body, isRun: false },
		ours: { url: plain.url, body: notSelected, isRun: false },
	});
	return {
		accepted: [
			...compare('accepted', accepted, ['plain', MINIMAL], 0.03),
			...compare('with a mapping', accepted, ['mapped', 'plain'], 0.03),
			...compare('signed', accepted, ['signed', MINIMAL], 0.05),
		],
		'not-run': [
			...compare('without the token', refused, ['ours', MINIMAL], 0.03),
			...compare('not selected', ignored, ['ours', MINIMAL], 0.03),
		],
	};
}
