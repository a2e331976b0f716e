import { setTimeout as sleep } from 'node:timers/promises';
import { makeSlots } from '../../sandbox/service/slots';
import type { Stack } from '../../sandbox/stack/stack';
import { settledWrites } from './eventStream';
import { table } from './report';
import { randomOf } from './schedule';
import { type Answer, sendRequest, type TestRequest } from './sendRequest';
import { publishTestWorkflow, type TestWorkflow } from './workflow';

/** A pair is two deliveries of one event, each of which has one request under way. */
const PAIRS_AT_ONCE = 10;
const LONGEST_GAP_MS = 1000;
/** Longer than the service waits for an answer before it hangs up. */
const CRM_DELAY_MS = 500;
const RESEND_AFTER_MS = 500;
const MOST_ATTEMPTS = 20;

/** What may differ between two requests of a test. */
type Content = Pick<TestRequest, 'body' | 'headers' | 'hangUpAfterMs'>;

/**
 * Tests that two deliveries of the same event write one record, in two workflows, one for each value of
 * Respond. The requests go past the proxy, which would keep it from n8n that the service has hung up.
 *
 * @param seconds the time in which pairs are begun
 * @param seed decides the time between two deliveries, and which of the first ones fail or hang up
 */
export async function sendPairs(stack: Stack, pairs: number, seconds: number, seed: string) {
	const random = randomOf(seed);
	const plans = Array.from({ length: pairs }, (_, number) => ({
		callId: `call_${number}`,
		gapMs: random() * LONGEST_GAP_MS,
		isRefused: random() < 1 / 3,
		hangUpAfterMs: random() < 1 / 3 ? 50 + Math.floor(random() * 250) : undefined,
	}));
	const refused = plans.filter(({ isRefused }) => isRefused).map(({ callId }) => callId);
	await using immediately = await publishTestWorkflow(stack);
	await using finished = await publishTestWorkflow(stack, {
		parameters: { options: { acknowledge: 'finished' } },
		isRefusedAtFirst: (callId) => refused.includes(callId),
		crmDelayMs: CRM_DELAY_MS,
	});
	const modes = [
		{ name: 'Immediately', workflow: immediately },
		{ name: 'When Last Node Finishes', workflow: finished },
	].map((mode) => ({ ...mode, sent: [] as string[], answers: [] as Answer[], overlapping: 0 }));
	const inSlot = makeSlots(PAIRS_AT_ONCE);
	const end = Date.now() + seconds * 1000;
	const sendPair = async ({ callId, gapMs, hangUpAfterMs }: (typeof plans)[0], index: number) => {
		const mode = modes[index % 2]!;
		if (Date.now() > end) return;
		mode.sent.push(callId);
		const content = contentOf(callId);
		const hangUp = mode.workflow === finished ? { hangUpAfterMs } : {};
		const first = deliver(mode.workflow, { ...content, ...hangUp });
		let isUnderWay = true;
		void first.then(() => (isUnderWay = false));
		await sleep(gapMs);
		if (isUnderWay) mode.overlapping++;
		const second = deliver(mode.workflow, content);
		mode.answers.push(...(await first), ...(await second));
	};
	await Promise.all(plans.map((plan, index) => inSlot(() => sendPair(plan, index))));
	const rows = [];
	for (const { name, workflow, sent, answers, overlapping } of modes) {
		const writes = await settledWrites(workflow, sent.length);
		const count = (isCounted: (answer: Answer) => boolean) => answers.filter(isCounted).length;
		rows.push({
			Respond: name,
			pairs: sent.length,
			'second before the first ended': overlapping,
			'hung up': count(({ status }) => status === 'none'),
			'answered 500': count(({ status }) => status === 500),
			'duplicates answered': count(({ body }) => body.includes('duplicate')),
			twice: [...writes.values()].filter((times) => times > 1).length,
			lost: sent.filter((callId) => !writes.has(callId)).length,
		});
	}
	return {
		lines: table([Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))]),
		bounds: {
			'no event of a pair is twice in the CRM': rows.every(({ twice }) => twice === 0),
			'each event of a pair is in the CRM': rows.every(({ lost }) => lost === 0),
		},
	};
}

function contentOf(callId: string): Content {
	const event = { id: `evt_${callId}`, type: 'call.completed', data: { call_id: callId } };
	return { body: JSON.stringify(event), headers: { 'content-type': 'application/json' } };
}

/**
 * Sends a delivery until n8n answers with success, as a service does.
 *
 * @returns all answers
 */
async function deliver({ n8n, sandbox }: TestWorkflow, { hangUpAfterMs, ...content }: Content) {
	const { pathname, search } = new URL(sandbox.endpoints()[0]?.url ?? '');
	const request = { ...content, query: search.slice(1) };
	const answers = [await sendRequest(n8n.url + pathname, { ...request, hangUpAfterMs })];
	while (answers.at(-1)?.status !== 200 && answers.length < MOST_ATTEMPTS) {
		await sleep(RESEND_AFTER_MS);
		answers.push(await sendRequest(n8n.url + pathname, request));
	}
	return answers;
}
