import { type FaultChooser, type RequestRecord, startSandbox } from '../../sandbox/service';
import type { Line } from '../../sandbox/stack/install-n8n';
import { startStack } from '../../sandbox/stack/stack';
import { triggerNode } from '../support/triggerNode';
import { type Comparison, noMore, summarise } from './measure';
import { inDigits, type Section } from './report';

/** How publishing goes on n8n 2.41, and as 1.x goes about it. */
const LINES: Line[] = ['2.41', '1.123'];
/** After how many ms the service answers. */
const ANSWERS_MS = [5, 50, 200];
/** The calls that the design needs: to remove the old endpoint, see it gone, and register the new one. */
const NEEDED = 3;

/** What one publish of a changed trigger made of the service. */
interface Gap {
	/** From the first request after n8n has closed the old URL to the moment when the new one is known. */
	ms: number;
	calls: number;
}

/**
 * Publishes a trigger with other events, again and again, while the service answers sooner or later.
 * n8n closes the trigger's URL before it calls the node's `delete`, so that an event is lost from then
 * until the service has the new endpoint.
 */
export async function measureGap(rounds: number): Promise<Section> {
	const comparisons: Comparison[] = [];
	const record = [['n8n', 'the service answers in', 'gap, ms', 'of it n8n and the node, ms']];
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
			// n8n 1.123 publishes what is published as soon as it is saved.
			await api.updateWorkflow(id, {
				nodes: [{ ...trigger, parameters: { ...trigger.parameters, events } }],
			});
			await api.publish(id);
			return sandbox.requests.slice(before);
		};
		for (const answerMs of ANSWERS_MS) {
			const slow: FaultChooser = () => ({ kind: 'slow', ms: answerMs });
			sandbox.fault = slow;
			const gaps: Gap[] = [];
			for (let round = 0; round < rounds; round++) {
				gaps.push(gapIn(await publishChanged(), answerMs));
			}
			comparisons.push({
				what: `n8n ${line}, answers in ${answerMs} ms: calls in the gap`,
				beside: 'what the design needs',
				unit: '',
				ours: gaps.map(({ calls }) => calls),
				other: [NEEDED],
				goal: noMore,
			});
			const { median, least, most } = summarise(gaps.map(({ ms }) => ms));
			const own = summarise(gaps.map(({ ms, calls }) => ms - calls * answerMs)).median;
			record.push([
				line,
				`${answerMs} ms`,
				`${inDigits(median)} (${inDigits(least)} to ${inDigits(most)})`,
				inDigits(own),
			]);
		}
	}
	return { name: 'gap', title: 'The gap at publishing a changed trigger', comparisons, record };
}

/** @throws an Error where the publish did not remove one endpoint and create one */
function gapIn(requests: RequestRecord[], answerMs: number): Gap {
	const created = requests.findIndex(({ method }) => method === 'POST');
	const removed = requests.findIndex(({ method }) => method === 'DELETE');
	const [first, last] = [requests[0], requests[created]];
	if (!first || !last || removed < 0 || removed > created) {
		const seen = requests.map(({ method, path }) => `${method} ${path}`).join(', ');
		throw new Error(`A changed trigger was published by: ${seen || 'no request'}`);
	}
	return { ms: last.at + answerMs - first.at, calls: created + 1 };
}
