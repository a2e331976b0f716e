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
	/** How often the trigger is changed and published beside that, each time for another endpoint. */
	changes: number;
}

/** What became of the events of a round. */
interface Outcome {
	made: number;
	/** Events whose call is in the CRM. */
	kept: number;
	writtenTwice: number;
	/** Events not in the CRM that the service could not deliver: there was no endpoint, */
	withoutEndpoint: number;
	/** or it was removed while they waited to be delivered. */
	endpointRemoved: number;
	/** Events not in the CRM that it could deliver. */
	lost: number;
	/** Of these, those which n8n had acknowledged. */
	acknowledged: number;
	/** Of these in turn, those which it acknowledged as a run without data: see {@link UNSAVED}. */
	unsaved: number;
	/** Runs that n8n still takes for under way: see {@link settled}. */
	hanging: number;
	/** Processes that ended by themselves, and were started again. */
	revived: number;
	/** How many different ones the service had meanwhile. */
	registered: number;
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
/**
 * How n8n acknowledges a run of which it finds nothing in PostgreSQL. Where the worker could not save a
 * failed run, because PostgreSQL had just gone, it says so of that too.
 */
const UNSAVED = 'Workflow executed successfully but';
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
	const { lost, acknowledged, unsaved } = outcome;
	const figures = {
		events: outcome.made,
		'in the CRM': outcome.kept,
		'written twice': outcome.writtenTwice,
		'no endpoint': outcome.withoutEndpoint,
		'endpoint removed': outcome.endpointRemoved,
		lost,
		'though acknowledged': acknowledged,
		'as unsaved': unsaved,
		hanging: outcome.hanging,
		revived: outcome.revived,
		registered: outcome.registered,
		endpoints: outcome.endpoints,
		'left behind': outcome.leftBehind,
		'a second': Number(outcome.perSecond.toFixed(1)),
	};
	return {
		lines: table([Object.keys(figures), Object.values(figures)]),
		broken: brokenOf({
			'acknowledged when finished, every event that could be delivered is in the CRM':
				round.acknowledge === 'received' || lost === 0,
			'acknowledged at once, only what n8n had acknowledged is lost': lost === acknowledged,
			'an event lacks an endpoint only where a changed trigger is published':
				round.changes > 0 || outcome.withoutEndpoint + outcome.endpointRemoved === 0,
			'only the publish of a changed trigger makes another endpoint':
				outcome.registered <= 1 + round.changes,
			'the published trigger has one endpoint': outcome.endpoints === 1,
			'no endpoint is left behind': outcome.leftBehind === 0,
			'the service remembers every attempt': !outcome.isLogFull,
		}),
	};
}

async function run(
	cluster: Cluster,
	publication: Publication,
	{ events, faults, changes }: Round,
	random: () => number,
	say: (text: string) => void,
): Promise<Outcome> {
	const { sandbox } = publication;
	/** By the events' ids. */
	const made = new Map<string, { callId: string; endpointIds: string[] }>();
	const registered = new Set<string>();
	const attempts = () => [...registered].flatMap((id) => sandbox.deliveriesOf(id));
	/** The ids of the events that the service has delivered, and of those that it still can deliver. */
	const look = () => {
		const present = new Set(sandbox.endpoints().map(({ id }) => id));
		const delivered = new Set(
			attempts()
				.filter(({ status }) => status === 'delivered')
				.map(({ event_id }) => event_id),
		);
		const deliverable = [...made]
			.filter(
				([id, event]) => !delivered.has(id) && event.endpointIds.some((at) => present.has(at)),
			)
			.map(([id]) => id);
		return { delivered, deliverable: new Set(deliverable) };
	};

	let revived = 0;
	let over = false;
	const begun = Date.now();
	const stream = (async () => {
		while (!over) {
			const endpointIds = sandbox.endpoints().map((endpoint) => endpoint.id);
			for (const endpointId of endpointIds) registered.add(endpointId);
			const callId = `call_${made.size + 1}`;
			const { id } = sandbox.emit('call.completed', { call_id: callId, summary: 'A call' });
			say(`${made.size} of ${events} events`);
			made.set(id, { callId, endpointIds });
			// Fast enough to have all busy, and slow enough to show how long a gap is.
			do await sleep(20);
			while (!over && look().deliverable.size > MOST_ON_THEIR_WAY);
		}
	})();
	const wait = (what: string, seconds: number, ask: () => Promise<boolean> | boolean) =>
		until(what, seconds, async () => {
			revived += await cluster.revive();
			return await ask();
		});
	try {
		const change: Fault = () => publication.republish('changed');
		const all = [...faults, ...Array.from({ length: changes }, () => change)];
		for (const { after, happen } of scatter(random, events, all)) {
			await wait(`event ${after}`, 1800, () => made.size > after);
			await happen(cluster, publication);
			const asked = () => cluster.main.api.workflow(publication.workflowId);
			await wait('the main to answer', 180, () => isFulfilled(asked()));
		}
		await wait(`event ${events}`, 1800, () => made.size >= events);
	} finally {
		over = true;
		await stream;
	}
	let isOver = false;
	void sandbox.settled().then(() => (isOver = true));
	await wait('the service to have no more to deliver', 600, () => isOver);
	const seconds = (Date.now() - begun) / 1000;
	const { written, hanging } = await settled(cluster, publication, made.size);
	const { delivered, deliverable } = look();
	const missing = [...made].filter(([, { callId }]) => !written.has(callId)).map(([id]) => id);
	const acknowledged = missing.filter((id) => delivered.has(id)).length;
	const unsavedIds = new Set(
		attempts()
			.filter(({ response_body }) => response_body?.includes(UNSAVED))
			.map(({ event_id }) => event_id),
	);
	const lost = acknowledged + missing.filter((id) => deliverable.has(id)).length;
	const withoutEndpoint = missing.filter((id) => made.get(id)?.endpointIds.length === 0).length;
	const isLogFull = attempts().length >= MOST_ATTEMPTS;
	const endpoints = sandbox.endpoints().length;
	await publication.unpublish();
	return {
		made: made.size,
		kept: made.size - missing.length,
		writtenTwice: [...written.values()].filter((writes) => writes > 1).length,
		withoutEndpoint,
		endpointRemoved: missing.length - lost - withoutEndpoint,
		lost,
		acknowledged,
		unsaved: missing.filter((id) => unsavedIds.has(id)).length,
		hanging,
		revived,
		registered: registered.size,
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
 * Waits until all calls are in the CRM, or no run is under way, or none has ended for half a minute:
 * n8n finds out late, or never, that a worker is gone with its runs.
 *
 * @param calls how many there are
 * @returns what is in the CRM, and how many runs n8n takes for under way
 */
async function settled({ postgresql }: Cluster, publication: Publication, calls: number) {
	let before: number | undefined;
	let deadline = 0;
	for (;;) {
		const [[count] = []] = await postgresql.query(
			'n8n',
			`SELECT count(*) FROM execution_entity
			 WHERE "workflowId" = '${publication.workflowId}' AND status IN ('new', 'running')`,
		);
		const hanging = Number(count);
		const written = await publication.written();
		if (hanging !== before) deadline = Date.now() + 30_000;
		before = hanging;
		if (written.size === calls || hanging === 0 || Date.now() > deadline) {
			return { written, hanging };
		}
		await sleep(500);
	}
}
