import { createEvent } from '../../sandbox/service/events';
import type { Stack } from '../../sandbox/stack/stack';
import { compare, loadInTurns, MINIMAL, openTriggers, type Peer, type Target } from './loads';

const BURST = { requests: 120, connections: 8 };

const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
const CACHED = { N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true' };

/** Settings of n8n's expression engine, all off by default. */
export const engines: Record<string, Record<string, string>> = {
	default: {},
	lazy: LAZY,
	cached: CACHED,
	'lazy and cached': { ...LAZY, ...CACHED },
};

/**
 * Sends bursts of deliveries of 1 kB: to the minimal trigger, and to ours with its default Output and, in the
 * default settings of n8n, with Output set to Event Only.
 *
 * @param stacks an n8n for each name in {@link engines}, or only for `default`
 */
export async function measureBurst(stacks: Record<string, Stack>, rounds: number) {
	await using opened = new AsyncDisposableStack();
	const body = JSON.stringify(createEvent('call.completed', { transcript: ['x'.repeat(500)] }));
	const peers: Record<string, Peer> = {};
	for (const [engine, stack] of Object.entries(stacks)) {
		const triggers = opened.use(await openTriggers(stack, body));
		const add = async (name: string, target: Promise<Target>) => {
			peers[named(name, engine)] = triggers.peerOf(await target);
		};
		await add(MINIMAL, triggers.publishMinimal());
		await add('ours', triggers.publishOurs());
		if (engine === 'default') {
			await add('event only', triggers.publishOurs({ parameters: { output: 'event' } }));
		}
	}
	const results = await loadInTurns(rounds, peers, BURST);
	const comparisons = Object.keys(stacks).flatMap((engine) => {
		const [ours, minimal] = [named('ours', engine), named(MINIMAL, engine)];
		const accepted = compare(named('accepted', engine), results, [ours, minimal], 0.03);
		if (engine === 'default') {
			return [...accepted, ...compare('event only', results, ['event only', minimal])];
		}
		return [
			...accepted,
			...compare(minimal, results, [minimal, MINIMAL]),
			...compare(ours, results, [ours, 'ours']),
		];
	});
	return { name: 'burst', comparisons };
}

const named = (name: string, engine: string) =>
	engine === 'default' ? name : `${name}, ${engine}`;
