import { startSandbox } from '../../sandbox/service';
import { startStack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { publishTrigger } from '../reliability/publishedTrigger';
import { atMost, type Comparison } from './measure';
import type { Section } from './report';

/**
 * Restarts each line of n8n with published workflows, and counts the calls to the service. n8n activates each
 * trigger anew, which requires no call. In the second minute, a poll of each trigger compares its webhook with
 * the list by one call, and reads its log, which is not counted, but shows that the start is over.
 */
export async function measureStart(workflows: number): Promise<Section> {
	const comparisons: Comparison[] = [];
	const record = [
		['n8n', 'workflows', 'start without workflows, s', 'start with workflows, s', 'calls'],
	];
	for (const line of ['2.41', '1.123'] as const) {
		await using sandbox = await startSandbox();
		await using stack = await startStack({ line });
		const { n8n } = stack;
		const restart = async () => {
			const started = performance.now();
			await n8n.restart();
			return ((performance.now() - started) / 1000).toFixed(1);
		};
		const emptySeconds = await restart();
		for (let count = 0; count < workflows; count++) await publishTrigger(n8n.api, sandbox);

		const before = sandbox.requests.length;
		const calls = () => sandbox.requests.slice(before);
		const seconds = await restart();
		// The list of endpoints, and each log.
		const paths = () => new Set(calls().map(({ path }) => path));
		await until('the first reading of each log', 300, () => paths().size > workflows);
		const seen = calls().filter(({ path }) => !path.endsWith('/deliveries'));
		if (sandbox.endpoints().length !== workflows || seen.some(({ method }) => method !== 'GET')) {
			throw new Error(`A start of n8n ${line} changed endpoints`);
		}
		comparisons.push({
			name: `calls to the service, n8n ${line}`,
			...{ baseline: 'calls required by n8n', unit: '', goal: atMost(1) },
			...{ ours: [seen.length], baselineValues: [workflows] },
		});
		record.push([line, String(workflows), emptySeconds, seconds, String(seen.length)]);
	}
	return { name: 'start', comparisons, record };
}
