/** Each situation, with each kind of restart, and each single fault: no event is lost, and none runs twice. */
import {
	ARRIVED,
	logAttempt,
	logOf,
	pass,
	publishOften,
	service,
	usePolling,
} from '../support/publishing/catchUpSetup';
import { loadInProcess } from '../support/n8n/nodePackage';
import type { KeptEndpoint, Reply } from '../support/service/scriptedService';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

usePolling();

type Trigger = Awaited<ReturnType<typeof publishOften>>;

/** A service that serves several workspaces' triggers, so that a list is rarely empty. */
const FOREIGN = { id: 'foreign', url: 'https://crm.example.com/hooks' };

/** What happens to a published trigger, before events are missed or while they are. */
const situations = {
	nothing: () => {},
	'key rotated': ({ node }: Trigger) => {
		node.credential = { ...node.credential, apiKey: 'svc_live_rotated' };
	},
	'disabled by the service': () => {
		for (const attempt of [2, 3]) logAttempt('before', { attempt });
		Object.assign(ownEndpoint(), { status: 'disabled' });
	},
	'paused by a person': () => {
		logAttempt('arrived', ARRIVED);
		Object.assign(ownEndpoint(), { status: 'paused' });
	},
	'deleted by hand': () => {
		delete service.logs[ownEndpoint().id];
		service.endpoints = service.endpoints.filter(({ id }) => id === FOREIGN.id);
	},
	'missing in one list': () => answerListsOnce({ body: { data: [FOREIGN] } }),
	'list empty once': () => answerListsOnce({ body: { data: [] } }),
	'list cut at 20 once': () => {
		const data = Array.from({ length: 20 }, (_, index) => ({ ...FOREIGN, id: `other${index}` }));
		answerListsOnce({ body: { data } });
	},
	'other events': () => void (ownEndpoint().events = ['call.started']),
	'registered twice': () => {
		service.endpoints.push({ ...ownEndpoint(), id: 'twice' });
		service.logs.twice = [];
	},
	'address of n8n changed': ({ node }: Trigger) => {
		node.webhookBase = 'https://moved.example.com/';
	},
} satisfies Record<string, (trigger: Trigger) => void>;

type Situation = keyof typeof situations;

/** How n8n starts while events are missed: not at all, anew, or in another main process. */
const restarts = { none: undefined, start: 'init', takeover: 'leadershipChange' } as const;

/** A fault of the first request of each kind after the restart. */
const singleFaults = ['none', 'list', 'create', 'delete', 'log', 'all for a minute'] as const;

/** How often n8n polls after the restart, every other minute. */
const POLLS = 7;

let processes = 0;

/** The trigger's newest endpoint. */
const ownEndpoint = (): KeptEndpoint => ownEndpoints().at(-1)!;
const ownEndpoints = (): KeptEndpoint[] => service.endpoints.filter(({ id }) => id !== FOREIGN.id);

function answerListsOnce(reply: Reply): void {
	let times = 1;
	service.script.list = () => (times-- > 0 ? reply : undefined);
}

/** Lets the next request of a kind fail, or all requests of a minute. */
function inject(fault: (typeof singleFaults)[number]): void {
	const until = Date.now() + 60_000;
	let times = 1;
	const failure = (kind: string) => {
		const isHit = fault === 'all for a minute' ? Date.now() < until : fault === kind && times-- > 0;
		return isHit
			? { status: kind === 'create' ? 429 : 500, body: { message: 'fault' } }
			: undefined;
	};
	const { list } = service.script;
	service.script = {
		list: (...asked) => failure('list') ?? list?.(...asked),
		refuse: () => failure('create'),
		remove: () => failure('delete'),
		log: () => failure('log'),
	};
}

/**
 * Publishes a trigger beside a neighbour that counts in the workflow's static data, lets events be missed in a
 * situation, restarts n8n, and polls for a quarter of an hour. Events arrive before, within and after it.
 *
 * @returns what is left, and the executions of each event
 */
async function runScenario(
	situation: Situation,
	how: keyof typeof restarts,
	fault: (typeof singleFaults)[number],
) {
	Object.assign(service, { endpoints: [{ ...FOREIGN }], script: {} });
	const trigger = await publishOften();
	const { lifecycle, node } = trigger;
	let count = 0;
	const countUp = () => {
		lifecycle.load();
		node.globalData = { count: ++count };
		lifecycle.save();
	};
	const prepare: (trigger: Trigger) => void = situations[situation];
	const isPaused = situation === 'paused by a person';
	pass(2);
	logAttempt('before');
	if (!isPaused) prepare(trigger);
	pass(2);
	if (situation !== 'deleted by hand') logAttempt('during');
	if (isPaused) {
		pass(1);
		prepare(trigger);
	}
	countUp();
	inject(fault);
	const mode = restarts[how];
	if (mode) {
		node.types = await loadInProcess(processes++ % 8);
		await lifecycle.start(mode);
	}
	const started: string[] = [];
	for (let poll = 0; poll < POLLS; poll++) {
		pass(2);
		started.push(...(await trigger.poll()));
		countUp();
		// A paused webhook gets no further attempts.
		if (poll === POLLS - 2 && !isPaused) logAttempt('after', {}, logOf(ownEndpoint().id));
	}
	const { globalData } = lifecycle.receiver(false);
	const isCall = (text: string) => /^(before|during|after)$/.test(text);
	const runs: Record<string, number> = {};
	for (const id of started.filter(isCall)) runs[id] = (runs[id] ?? 0) + 1;
	const reports = started.filter((text) => !isCall(text));
	const neighbour = globalData.count === count ? {} : { expected: count, ...globalData };
	return { endpoints: ownEndpoints().length, runs, reports, neighbour };
}

const ways = Object.keys(restarts) as Array<keyof typeof restarts>;

/** The events that have to run: the log of a deleted webhook is lost, and a paused one gets no event. */
function expectedEvents(situation: Situation): string[] {
	if (situation === 'deleted by hand') return ['after'];
	return situation === 'paused by a person' ? ['before', 'during'] : ['before', 'during', 'after'];
}

/** The service may have sent some events to no webhook. */
const NOT_SENT: Situation[] = ['disabled by the service', 'deleted by hand', 'other events'];
const REPORTED: Situation[] = [...NOT_SENT, 'paused by a person'];

describe.each(Object.keys(situations) as Situation[])('%s', (situation) => {
	// Promise: After a restart, whatever was done to the webhook, one webhook is left and each event has run.
	test.each(ways)('restart: %s', async (how) => {
		// After each fault the others do what a start does.
		for (const fault of how === 'start' ? singleFaults : (['none'] as const)) {
			const { reports, ...outcome } = await runScenario(situation, how, fault);
			const runs = Object.fromEntries(expectedEvents(situation).map((id) => [id, 1]));
			expect({ fault, ...outcome }).toEqual({ fault, endpoints: 1, runs, neighbour: {} });
			// What a person has to decide or to look up is reported.
			expect(reports).toHaveLength(REPORTED.includes(situation) ? 1 : 0);
		}
	});
});
