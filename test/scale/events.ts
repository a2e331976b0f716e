import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../sandbox/stack/until';
import { scatter } from '../reliability/events';
import { brokenOf, type Report, table } from '../reliability/report';
import type { Cluster } from './cluster';
import { type Acknowledge, publish, type Publication } from './publication';

/** Something that happens while events come in. */
export type Fault = (cluster: Cluster, publication: Publication) => Promise<unknown>;

/** A stream of events into one published trigger, and what happens meanwhile. */
export interface Round {
	/** What happens, in words. */
	title: string;
	acknowledge: Acknowledge;
	/** As many at least; more, where what happens takes longer. */
	events: number;
	faults: Fault[];
}

/** What became of the events of a round. */
interface Outcome {
	made: number;
	/** Events whose call is in the CRM. */
	kept: number;
	writtenTwice: number;
	/** Events not in the CRM that the service could not deliver: their endpoint was gone. */
	undeliverable: number;
	/** Events not in the CRM that it could deliver. */
	lost: number;
	/** Of these, those which n8n had acknowledged. */
	acknowledged: number;
	/** Executions that are still under way for n8n, though none has ended for two minutes. */
	hanging: number;
	/** Processes that ended by themselves, and were started again. */
	revived: number;
	/** While the workflow is published. */
	endpoints: number;
	/** Endpoints once it is unpublished. */
	leftBehind: number;
	perSecond: number;
	/** Whether the service has logged so many attempts that it may have forgotten the first. */
	isLogFull: boolean;
}

/** How many events may be on their way; more would only wait in the service. */
const MOST_ON_THEIR_WAY = 40;
/** As many attempts as the service remembers. */
const MOST_ATTEMPTS = 10_000;

/**
 * Lets events come in while processes are killed, servers restarted and the workflow published, and
 * looks for each of them in the CRM.
 *
 * @param name of the round's CRM
 * @param random decides when what happens
 * @param say gets how far it is
 */
export async function keepEvents(
	cluster: Cluster,
	name: string,
	round: Round,
	random: () => number,
	say: (text: string) => void,
): Promise<Report> {
	const publication = await publish(cluster, name, round.acknowledge);
	let outcome: Outcome;
	try {
		outcome = await run(cluster, publication, round, random, say);
	} finally {
		await publication.stop();
	}
	const { lost, acknowledged } = outcome;
	return {
		lines: table([
			[
				...['events', 'in the CRM', 'written twice', 'no endpoint', 'lost', 'though acknowledged'],
				...['hanging', 'revived', 'endpoints', 'left behind', 'a second'],
			],
			[
				...[outcome.made, outcome.kept, outcome.writtenTwice, outcome.undeliverable, lost],
				...[acknowledged, outcome.hanging, outcome.revived, outcome.endpoints],
				...[outcome.leftBehind, Number(outcome.perSecond.toFixed(1))],
			],
		]),
		broken: brokenOf({
			'acknowledged when finished, every event that could be delivered is in the CRM':
				round.acknowledge === 'received' || lost === 0,
			'acknowledged at once, only what n8n had acknowledged is lost': lost === acknowledged,
			'the published trigger has one endpoint': outcome.endpoints === 1,
			'no endpoint is left behind': outcome.leftBehind === 0,
			'the service remembers every attempt': !outcome.isLogFull,
		}),
	};
}

async function run(
	cluster: Cluster,
	publication: Publication,
	{ events, faults }: Round,
	random: () => number,
	say: (text: string) => void,
): Promise<Outcome> {
	const { sandbox } = publication;
	/** By the events' ids. */
	const made = new Map<string, { callId: string; endpointId: string | undefined }>();
	const endpointIds = new Set<string>();
	const attempts = () => [...endpointIds].flatMap((id) => sandbox.deliveriesOf(id));
	/** The ids of the events that the service has delivered, and of those that it still can deliver. */
	const look = () => {
		const present = new Set(sandbox.endpoints().map(({ id }) => id));
		const delivered = new Set(
			attempts()
				.filter(({ status }) => status === 'delivered')
				.map(({ event_id }) => event_id),
		);
		const deliverable = [...made]
			.filter(([id, { endpointId }]) => !delivered.has(id) && present.has(endpointId ?? ''))
			.map(([id]) => id);
		return { delivered, deliverable: new Set(deliverable) };
	};

	let revived = 0;
	let over = false;
	const begun = Date.now();
	const stream = (async () => {
		while (!over) {
			const [endpoint] = sandbox.endpoints();
			if (endpoint) endpointIds.add(endpoint.id);
			const callId = `call_${made.size + 1}`;
			const { id } = sandbox.emit('call.completed', { call_id: callId, summary: 'A call' });
			say(`${made.size} of ${events} events`);
			made.set(id, { callId, endpointId: endpoint?.id });
			// Fast enough to have all busy, and slow enough to show how long a gap is.
			do await sleep(20);
			while (!over && look().deliverable.size > MOST_ON_THEIR_WAY);
		}
	})();
	try {
		for (const { after, happen } of scatter(random, events, faults)) {
			await until(`event ${after}`, 1800, () => made.size > after);
			await happen(cluster, publication);
			revived += await cluster.revive();
			const asked = () => cluster.main.api.workflow(publication.workflowId);
			await until('the main to answer', 60, () => isFulfilled(asked()));
		}
		await until(`event ${events}`, 1800, () => made.size >= events);
	} finally {
		over = true;
		await stream;
	}
	await sandbox.settled();
	const seconds = (Date.now() - begun) / 1000;
	revived += await cluster.revive();
	const hanging = await settled(cluster, publication);

	const written = await publication.written();
	const { delivered, deliverable } = look();
	const missing = [...made].filter(([, { callId }]) => !written.has(callId)).map(([id]) => id);
	const acknowledged = missing.filter((id) => delivered.has(id)).length;
	const lost = acknowledged + missing.filter((id) => deliverable.has(id)).length;
	const isLogFull = attempts().length >= MOST_ATTEMPTS;
	const endpoints = sandbox.endpoints().length;
	await publication.unpublish();
	return {
		made: made.size,
		kept: made.size - missing.length,
		writtenTwice: [...written.values()].filter((writes) => writes > 1).length,
		undeliverable: missing.length - lost,
		lost,
		acknowledged,
		hanging,
		revived,
		endpoints,
		leftBehind: sandbox.endpoints().length,
		perSecond: made.size / seconds,
		isLogFull,
	};
}

const isFulfilled = (promise: Promise<unknown>) =>
	promise.then(
		() => true,
		() => false,
	);

/**
 * Waits until no execution is under way, or none has ended for two minutes.
 *
 * @returns how many are even then: n8n finds out late that a worker is gone
 */
async function settled({ postgresql }: Cluster, { workflowId }: Publication): Promise<number> {
	let left: number | undefined;
	let deadline = 0;
	for (;;) {
		const [[count] = []] = await postgresql.query(
			'n8n',
			`SELECT count(*) FROM execution_entity
			 WHERE "workflowId" = '${workflowId}' AND status IN ('new', 'running')`,
		);
		if (Number(count) !== left) deadline = Date.now() + 120_000;
		left = Number(count);
		if (left === 0 || Date.now() > deadline) return left;
		await sleep(500);
	}
}
