import { type RequestRecord, startSandbox } from '../../sandbox/service';
import type { Line } from '../../sandbox/stack/install-n8n';
import { startStack } from '../../sandbox/stack/stack';
import { publishTrigger } from '../reliability/publishedTrigger';
import { atMost, type Comparison, summarise } from './measure';
import { formatNumber, formatSummary, type Section } from './report';

/** n8n 1.x publishes in another way than 2.x. */
const LINES: Line[] = ['2.41', '1.123'];
/** Response times of the service. */
const RESPONSES_MS = [5, 50, 200];
/**
 * A list, because an endpoint that was pointed elsewhere stays; DELETE of the old endpoint; a list that
 * confirms it; POST of the new endpoint.
 */
const REQUIRED_CALLS = 4;

/** The time between closing the old URL and the creation of the new endpoint. */
interface Gap {
	ms: number;
	/** The requests that follow each other. One that runs beside another, as that for the log, takes no time. */
	calls: number;
}

/**
 * Measures how long a changed publish leaves the service without a working endpoint. n8n closes the
 * trigger's URL before it calls the node's `delete`. Events are lost until `create` has registered the
 * new endpoint.
 */
export async function measureGap(rounds: number): Promise<Section> {
	const comparisons: Comparison[] = [];
	const record = [['n8n', 'response time', 'gap, ms', 'gap without response times, ms']];
	for (const line of LINES) {
		await using sandbox = await startSandbox();
		await using stack = await startStack({ line });
		const workflow = await publishTrigger(stack.n8n.api, sandbox);
		for (const responseMs of RESPONSES_MS) {
			sandbox.fault = () => ({ kind: 'slow', ms: responseMs });
			const gaps: Gap[] = [];
			for (let round = 0; round < rounds; round++) {
				const before = sandbox.requests.length;
				await workflow.republish('changed');
				gaps.push(gapOf(sandbox.requests.slice(before), responseMs));
			}
			comparisons.push({
				name: `n8n ${line}, response time ${responseMs} ms: calls in a row in the gap`,
				...{ baseline: 'required calls', unit: '', goal: atMost(1) },
				...{ ours: gaps.map(({ calls }) => calls), baselineValues: [REQUIRED_CALLS] },
			});
			const rest = summarise(gaps.map(({ ms, calls }) => ms - calls * responseMs)).median;
			const gapMs = formatSummary(summarise(gaps.map(({ ms }) => ms)));
			record.push([line, `${responseMs} ms`, gapMs, formatNumber(rest)]);
		}
	}
	return { name: 'gap', comparisons, record };
}

/** @throws an Error if the requests do not remove an endpoint and then create one */
function gapOf(requests: RequestRecord[], responseMs: number): Gap {
	const created = requests.findIndex(({ method }) => method === 'POST');
	const removed = requests.findIndex(({ method }) => method === 'DELETE');
	const [first, last] = [requests[0], requests[created]];
	if (!first || !last || removed < 0 || removed > created) {
		const seen = requests.map(({ method, path }) => `${method} ${path}`).join(', ');
		throw new Error(`A changed trigger was published by: ${seen || 'no request'}`);
	}
	let end = 0;
	let calls = 0;
	for (const { at } of requests.slice(0, created + 1)) {
		if (at < end) continue;
		end = at + responseMs;
		calls++;
	}
	return { ms: last.at + responseMs - first.at, calls };
}
