import { type RequestRecord, startSandbox } from '../../sandbox/service';
import type { Line } from '../../sandbox/stack/install-n8n';
import { startStack } from '../../sandbox/stack/stack';
import { triggerNode } from '../support/triggerNode';
import { type Comparison, noMore, summarise } from './measure';
import { formatNumber, type Section } from './report';

/** n8n 1.x publishes in another way than 2.x. */
const LINES: Line[] = ['2.41', '1.123'];
/** Response times of the service. */
const RESPONSES_MS = [5, 50, 200];
/**
 * A list, because an endpoint that was pointed elsewhere stays; DELETE of the old endpoint; a list that
 * confirms it; POST of the new endpoint.
 */
const REQUIRED_CALLS = 4;

/** The requests between closing the old URL and the creation of the new endpoint. */
interface Gap {
	ms: number;
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
		await using starting = new AsyncDisposableStack();
		const sandbox = await startSandbox();
		starting.defer(() => sandbox.stop());
		const stack = await startStack({ line });
		starting.defer(() => stack.stop());
		const { api } = stack.n8n;
		const credentialId = await api.createCredential('Service', 'voiceAgentApi', {
			baseUrl: sandbox.baseUrl,
			apiKey: sandbox.adminKey,
		});
		const trigger = triggerNode(credentialId, { events: ['call.completed'], options: {} });
		const { id } = await api.createWorkflow({ name: 'Calls', nodes: [trigger], connections: {} });
		await api.publish(id);
		let events = ['call.completed'];
		const publishChanged = async (): Promise<RequestRecord[]> => {
			events = events.length > 1 ? ['call.completed'] : ['call.completed', 'call.failed'];
			const before = sandbox.requests.length;
			// n8n 1.123 publishes a published workflow already when it is saved.
			await api.updateWorkflow(id, {
				nodes: [{ ...trigger, parameters: { ...trigger.parameters, events } }],
			});
			await api.publish(id);
			return sandbox.requests.slice(before);
		};
		for (const responseMs of RESPONSES_MS) {
			sandbox.fault = () => ({ kind: 'slow', ms: responseMs });
			const gaps: Gap[] = [];
			for (let round = 0; round < rounds; round++) {
				gaps.push(gapOf(await publishChanged(), responseMs));
			}
			comparisons.push({
				name: `n8n ${line}, response time ${responseMs} ms: calls in the gap`,
				baseline: 'required calls',
				unit: '',
				ours: gaps.map(({ calls }) => calls),
				baselineValues: [REQUIRED_CALLS],
				goal: noMore,
			});
			const { median, low, high } = summarise(gaps.map(({ ms }) => ms));
			const rest = summarise(gaps.map(({ ms, calls }) => ms - calls * responseMs)).median;
			record.push([
				line,
				`${responseMs} ms`,
				`${formatNumber(median)} (${formatNumber(low)} to ${formatNumber(high)})`,
				formatNumber(rest),
			]);
		}
	}
	return { name: 'gap', title: 'The gap at publishing a changed trigger', comparisons, record };
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
	return { ms: last.at + responseMs - first.at, calls: created + 1 };
}
