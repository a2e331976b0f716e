import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../sandbox/stack/until';
import { type Report, table, violationsOf } from '../reliability/report';
import { scatter } from '../reliability/schedule';
import type { Cluster } from './cluster';
import { isFulfilled } from './servers';
import { type Acknowledge, publishTestWorkflow, type TestWorkflow } from './workflow';

/** Disturbs n8n while events are sent. */
export type Fault = (cluster: Cluster, workflow: TestWorkflow) => Promise<unknown>;

/** Events for one published trigger, and the faults meanwhile. */
export interface Round {
	/** Describes the faults. */
	title: string;
	acknowledge: Acknowledge;
	/** The least number of events. Further events are sent until the last fault is over. */
	events: number;
	faults: Fault[];
	/** The number of changed publishes, in addition to the faults; 0 by default. */
	changes?: number;
}

/** Numbers of events, unless stated otherwise. The names are printed. */
interface Outcome {
	sent: number;
	/** Events whose call is in the CRM. */
	saved: number;
	writtenTwice: number;
	/** Events not in the CRM that had no endpoint when they were sent. */
	withoutEndpoint: number;
	/** Events not in the CRM whose endpoint was removed before their delivery. */
	endpointRemoved: number;
	/** Events not in the CRM, although the service could deliver them. */
	lost: number;
	/** Lost events that n8n had acknowledged. */
	lostAcknowledged: number;
	/** Lost events whose acknowledgement contains {@link UNSAVED}. */
	lostUnsaved: number;
	/** The number of executions that n8n still shows as running at the end. */
	hangingExecutions: number;
	/** The number of processes that ended by themselves and were restarted. */
	restartedProcesses: number;
	/** The number of endpoints that were created. */
	registered: number;
	/** The number of endpoints at the end, while the workflow is published. */
	endpoints: number;
	/** The number of endpoints after the workflow is unpublished. */
	leftBehind: number;
	perSecond: number;
	/** The number of attempts in the service's log. */
	attempts: number;
}

/** The limit of events that can still be delivered. At the limit, no further event is sent. */
const MAX_PENDING = 40;
/**
 * n8n's acknowledgement of an execution whose data are not in PostgreSQL. The execution may have failed:
 * the worker can't save the failure while PostgreSQL restarts.
 */
const UNSAVED = 'Workflow executed successfully but';
/** The number of attempts that the service keeps. */
const MAX_ATTEMPTS = 10_000;

/**
 * Tests that the call of each event is in the CRM after the faults and changed publishes of a round.
 *
 * @param name the database of the round's CRM
 * @param random decides the moments of the faults
 */
export async function keepEvents(
	cluster: Cluster,
	name: string,
	round: Round,
	random: () => number,
	showProgress: (text: string) => void,
): Promise<Report> {
	const workflow = await publishTestWorkflow(cluster, name, round.acknowledge);
	const { changes = 0 } = round;
	let outcome: Outcome;
	try {
		outcome = await run(cluster, workflow, round, random, showProgress);
	} finally {
		await workflow.stop();
	}
	const { lost, lostAcknowledged, withoutEndpoint, endpointRemoved, attempts } = outcome;
	const inWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
	return {
		lines: table([Object.keys(outcome).map(inWords), Object.values(outcome) as number[]]),
		violations: violationsOf({
			'acknowledged when finished, every event that could be delivered is in the CRM':
				round.acknowledge === 'received' || lost === 0,
			'acknowledged at once, every lost event was acknowledged': lost === lostAcknowledged,
			'an event lacks an endpoint only if a changed trigger is published':
				changes > 0 || withoutEndpoint + endpointRemoved === 0,
			'only a changed publish creates another endpoint': outcome.registered <= 1 + changes,
			'the published trigger has one endpoint': outcome.endpoints === 1,
			'no endpoint is left behind': outcome.leftBehind === 0,
			'the service has kept every attempt': attempts < MAX_ATTEMPTS,
		}),
	};
}

async function run(
	cluster: Cluster,
	workflow: TestWorkflow,
	{ events, faults, changes = 0 }: Round,
	random: () => number,
	showProgress: (text: string) => void,
): Promise<Outcome> {
	const { sandbox } = workflow;
	/** By the event's ID. */
	const sent = new Map<string, { callId: string; endpointIds: string[] }>();
	const registered = new Set<string>();
	const attempts = () => [...registered].flatMap((id) => sandbox.deliveriesOf(id));
	/** Splits the events' IDs by the service's log. */
	const deliveryStates = () => {
		const present = new Set(sandbox.endpoints().map(({ id }) => id));
		const delivered = new Set(
			attempts()
				.filter(({ status }) => status === 'delivered')
				.map(({ event_id }) => event_id),
		);
		const deliverable = [...sent]
			.filter(
				([id, event]) => !delivered.has(id) && event.endpointIds.some((at) => present.has(at)),
			)
			.map(([id]) => id);
		return { delivered, deliverable: new Set(deliverable) };
	};

	let restarted = 0;
	let isOver = false;
	const started = Date.now();
	const stream = (async () => {
		while (!isOver) {
			const endpointIds = sandbox.endpoints().map((endpoint) => endpoint.id);
			for (const endpointId of endpointIds) registered.add(endpointId);
			const callId = `call_${sent.size + 1}`;
			const { id } = sandbox.emit('call.completed', { call_id: callId, summary: 'A call' });
			showProgress(`${sent.size} of ${events} events`);
			sent.set(id, { callId, endpointIds });
			// Keeps all processes busy, and the length of a gap measurable.
			do await sleep(20);
			while (!isOver && deliveryStates().deliverable.size > MAX_PENDING);
		}
	})();
	const wait = (event: string, seconds: number, isReached: () => Promise<boolean> | boolean) =>
		until(event, seconds, async () => {
			restarted += await cluster.restartEnded();
			return await isReached();
		});
	try {
		const change: Fault = () => workflow.republish('changed');
		const all = [...faults, ...Array.from({ length: changes }, () => change)];
		for (const { after, disturb } of scatter(random, events, all)) {
			await wait(`event ${after}`, 1800, () => sent.size > after);
			await disturb(cluster, workflow);
			const request = () => cluster.main.api.workflow(workflow.workflowId);
			await wait('the main to answer', 180, () => isFulfilled(request()));
		}
		await wait(`event ${events}`, 1800, () => sent.size >= events);
	} finally {
		isOver = true;
		await stream;
	}
	let isSettled = false;
	void sandbox.settled().then(() => (isSettled = true));
	await wait('the service to finish its deliveries', 600, () => isSettled);
	const seconds = (Date.now() - started) / 1000;
	const { writes, hanging } = await settled(cluster, workflow, sent.size);
	const { delivered, deliverable } = deliveryStates();
	const missing = [...sent].filter(([, { callId }]) => !writes.has(callId)).map(([id]) => id);
	const lostAcknowledged = missing.filter((id) => delivered.has(id)).length;
	const unsavedIds = new Set(
		attempts()
			.filter(({ response_body }) => response_body?.includes(UNSAVED))
			.map(({ event_id }) => event_id),
	);
	const lost = lostAcknowledged + missing.filter((id) => deliverable.has(id)).length;
	const withoutEndpoint = missing.filter((id) => sent.get(id)?.endpointIds.length === 0).length;
	const endpoints = sandbox.endpoints().length;
	await workflow.unpublish();
	return {
		sent: sent.size,
		saved: sent.size - missing.length,
		writtenTwice: [...writes.values()].filter((count) => count > 1).length,
		withoutEndpoint,
		endpointRemoved: missing.length - lost - withoutEndpoint,
		lost,
		lostAcknowledged,
		lostUnsaved: missing.filter((id) => unsavedIds.has(id)).length,
		hangingExecutions: hanging,
		restartedProcesses: restarted,
		registered: registered.size,
		endpoints,
		leftBehind: sandbox.endpoints().length,
		perSecond: Number((sent.size / seconds).toFixed(1)),
		attempts: attempts().length,
	};
}

/**
 * Waits until all calls are in the CRM, or no execution is running, or the number of running executions
 * has not changed for 30 s: n8n detects late, or never, that the worker of an execution has ended.
 *
 * @param calls the number of calls
 * @returns the number of writes by call, and the number of executions that n8n shows as running
 */
async function settled({ postgresql }: Cluster, workflow: TestWorkflow, calls: number) {
	let before: number | undefined;
	let deadline = 0;
	for (;;) {
		const [[count] = []] = await postgresql.query(
			'n8n',
			`SELECT count(*) FROM execution_entity
			 WHERE "workflowId" = '${workflow.workflowId}' AND status IN ('new', 'running')`,
		);
		const hanging = Number(count);
		const writes = await workflow.countWrites();
		if (hanging !== before) deadline = Date.now() + 30_000;
		before = hanging;
		if (writes.size === calls || hanging === 0 || Date.now() > deadline) {
			return { writes, hanging };
		}
		await sleep(500);
	}
}
