import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeSlots } from '../../sandbox/service/slots';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { type Report, table, violationsOf } from './report';
import { randomOf } from './schedule';
import { type Answer, sendRequest, type TestRequest } from './sendRequest';
import { countExecutions, publishTestWorkflow, type TestWorkflow } from './workflow';

/** The number of pairs and of look-alikes, and the time in which pairs are begun. */
export interface PairSizes {
	pairs: number;
	seconds: number;
	lookAlikes: number;
}

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
 * Tests that two deliveries of the same event write one record, and that different events which look alike
 * all run. The requests go past the proxy, which would keep it from n8n that the service has hung up.
 *
 * @param seed decides the time between two deliveries, and which of the first ones fail or hang up
 */
export async function sendPairs(stack: Stack, sizes: PairSizes, seed: string): Promise<Report> {
	const agent = new Agent({ keepAlive: true });
	try {
		const pairs = await repeatEvents(stack, sizes, seed, agent);
		const lookAlikes = await sendLookAlikes(stack, sizes.lookAlikes, agent);
		return {
			lines: [...pairs.lines, ...lookAlikes.lines],
			violations: [...pairs.violations, ...lookAlikes.violations],
		};
	} finally {
		agent.destroy();
	}
}

/** Sends pairs to two workflows, one for each value of Respond. */
async function repeatEvents(
	stack: Stack,
	{ pairs, seconds }: PairSizes,
	seed: string,
	agent: Agent,
): Promise<Report> {
	const random = randomOf(seed);
	const plans = Array.from({ length: pairs }, (_, number) => ({
		number,
		gapMs: random() * LONGEST_GAP_MS,
		isRefused: random() < 1 / 3,
		hangUpAfterMs: random() < 1 / 3 ? 50 + Math.floor(random() * 250) : undefined,
	}));
	const refused = plans.filter(({ isRefused }) => isRefused).map(({ number }) => number);
	await using immediately = disposable(await publishTestWorkflow(stack));
	await using finished = disposable(
		await publishTestWorkflow(stack, {
			options: { acknowledge: 'finished' },
			refusedAtFirst: new Set(refused),
			crmDelayMs: CRM_DELAY_MS,
		}),
	);
	const modes = [immediately, finished].map(({ workflow }, index) => ({
		...{ name: ['Immediately', 'When Last Node Finishes'][index] ?? '', workflow },
		...{ sent: [] as number[], answers: [] as Answer[], overlapping: 0 },
	}));
	const inSlot = makeSlots(PAIRS_AT_ONCE);
	const end = Date.now() + seconds * 1000;
	await Promise.all(
		plans.map(({ number, gapMs, hangUpAfterMs }, index) =>
			inSlot(async () => {
				const mode = modes[index % 2];
				if (!mode || Date.now() > end) return;
				mode.sent.push(number);
				const content = contentOf(number);
				const isHangingUp = mode.workflow === finished.workflow;
				const hangUp = isHangingUp ? { hangUpAfterMs } : {};
				const first = deliver(mode.workflow, { ...content, ...hangUp }, agent);
				let isUnderWay = true;
				void first.then(() => (isUnderWay = false));
				await sleep(gapMs);
				if (isUnderWay) mode.overlapping++;
				const second = deliver(mode.workflow, content, agent);
				mode.answers.push(...(await first), ...(await second));
			}),
		),
	);
	const results = [];
	for (const { workflow, sent, answers, ...mode } of modes) {
		await workflow.settled();
		const executions = countExecutions(workflow);
		const count = (isCounted: (answer: Answer) => boolean) => answers.filter(isCounted).length;
		results.push({
			...mode,
			pairs: sent.length,
			hungUp: count(({ status }) => status === 'closed'),
			failed: count(({ status }) => status === 500),
			unavailable: count(({ status }) => status === 503),
			duplicates: count(({ body }) => body.includes('duplicate')),
			records: new Set(workflow.records).size,
			twice: workflow.records.length - new Set(workflow.records).size,
			lost: sent.filter((number) => !executions.has(number)).length,
		});
	}
	return {
		lines: table([
			[
				...['Respond', 'pairs', 'second before the first ended', 'hung up', '500', '503'],
				...['duplicates answered', 'records', 'twice', 'lost'],
			],
			...results.map((one) => [
				...[one.name, one.pairs, one.overlapping, one.hungUp, one.failed, one.unavailable],
				...[one.duplicates, one.records, one.twice, one.lost],
			]),
		]),
		violations: violationsOf({
			'no event of a pair is twice in the CRM': results.every(({ twice }) => twice === 0),
			'each event of a pair has a successful execution': results.every(({ lost }) => lost === 0),
		}),
	};
}

/** Sends pairs of different events that look alike, and counts those that did not run. */
async function sendLookAlikes(stack: Stack, count: number, agent: Agent): Promise<Report> {
	const settings = {
		parameters: { events: ['call.completed', 'call.failed'] },
		options: { testEvent: 'real' },
	};
	await using one = disposable(await publishTestWorkflow(stack, settings));
	await using other = disposable(await publishTestWorkflow(stack, settings));
	const both = async (first: Content, second: Content, workflow = one.workflow) => {
		await Promise.all([deliver(one.workflow, first, agent), deliver(workflow, second, agent)]);
	};
	const failed = 'call.failed';
	const typed = (number: number, type: string) =>
		contentOf(number, { type: undefined }, { 'x-event-type': type });
	const anonymous = (number: number) => contentOf(number, { id: undefined });
	const kinds: Array<[name: string, share: number, send: (number: number) => Promise<void>]> = [
		[
			'another type in the body',
			0.25,
			async (number) => await both(contentOf(number), contentOf(number, { type: failed })),
		],
		[
			'another type in a header',
			0.25,
			async (number) => await both(typed(number, 'call.completed'), typed(number, failed)),
		],
		[
			'the same bytes without an ID',
			0.25,
			async (number) => await both(anonymous(number), anonymous(number)),
		],
		[
			'two workflows',
			0.24,
			async (number) => await both(contentOf(number), contentOf(number), other.workflow),
		],
		[
			'a workflow and its test listener',
			0.01,
			async (number) => await deliverToListener(one.workflow, number, agent),
		],
	];
	const rows: Array<[name: string, sent: number, ran: number, dropped: number]> = [];
	let number = 0;
	for (const [name, share, send] of kinds) {
		const numbers = Array.from({ length: Math.ceil((share * count) / 2) }, () => number++);
		// n8n has one test listener for a workflow.
		const inSlot = makeSlots(share < 0.1 ? 1 : PAIRS_AT_ONCE);
		await Promise.all(numbers.map((each) => inSlot(async () => await send(each))));
		await one.workflow.settled();
		await other.workflow.settled();
		const records = [...one.workflow.records, ...other.workflow.records];
		const ran = records.filter((record) => numbers.includes(record)).length;
		rows.push([name, 2 * numbers.length, ran, 2 * numbers.length - ran]);
	}
	return {
		lines: table([['different events that look alike', 'sent', 'ran', 'dropped'], ...rows]),
		violations: violationsOf({
			'no event that looks like another is dropped': rows.every(([, , , dropped]) => dropped === 0),
		}),
	};
}

/** Delivers an event to a workflow and to its test listener, and waits until the listener is closed. */
async function deliverToListener(
	workflow: TestWorkflow,
	number: number,
	agent: Agent,
): Promise<void> {
	const { n8n, sandbox, workflowId, nodes } = workflow;
	const isListening = () => sandbox.endpoints().length > 1;
	await n8n.api.run(workflowId, nodes[0].name);
	await until('the test listener', 60, isListening);
	await Promise.all(
		sandbox
			.endpoints()
			.map(async ({ url }) => await deliver({ ...workflow, url }, contentOf(number), agent)),
	);
	await until('the end of the test listener', 60, () => !isListening());
}

/** @param more fields of the body in addition to the defaults, or in their place */
function contentOf(number: number, more: object = {}, headers: object = {}): Content {
	const event = { id: `evt_${number}`, type: 'call.completed', data: { number }, ...more };
	return {
		body: JSON.stringify(event),
		headers: { 'content-type': 'application/json', ...headers },
	};
}

/**
 * Sends a delivery until n8n answers with success, as a service does.
 *
 * @param url of an endpoint; by default of the first one
 * @returns all answers
 */
async function deliver(
	{ n8n, sandbox, url = sandbox.endpoints()[0]?.url ?? '' }: TestWorkflow & { url?: string },
	{ hangUpAfterMs, ...content }: Content,
	agent: Agent,
): Promise<Answer[]> {
	const { pathname, search } = new URL(url);
	const request = { ...content, query: search.slice(1) };
	const send = async (more = {}) =>
		await sendRequest(n8n.url + pathname, { ...request, ...more }, agent);
	const answers = [await send({ hangUpAfterMs })];
	while (answers.at(-1)?.status !== 200 && answers.length < MOST_ATTEMPTS) {
		await sleep(RESEND_AFTER_MS);
		answers.push(await send());
	}
	return answers;
}

function disposable(workflow: TestWorkflow) {
	return { workflow, [Symbol.asyncDispose]: async () => await workflow.stop() };
}
