/*
 * Publishes and unpublishes a trigger in a process of its own, whose memory is measured:
 * `tsx publisher.ts '{"baseUrl": …, "apiKey": …, "rounds": …}'` prints {@link Published} as JSON.
 */
import '../support/noProxy';
import { NodeInWorkflow } from '../support/n8nCore';

/** Milliseconds since 1970. */
export interface TimeSpan {
	from: number;
	to: number;
}

/** The time span of each operation, one per round. */
export interface Published {
	publish: TimeSpan[];
	unpublish: TimeSpan[];
	/** The peak memory of the process. */
	peakMB: number;
}

async function main(): Promise<void> {
	const { baseUrl, apiKey, rounds } = JSON.parse(process.argv[2] ?? '') as {
		baseUrl: string;
		apiKey: string;
		rounds: number;
	};
	const node = await NodeInWorkflow.create('voiceAgentTrigger', {
		parameters: { events: ['call.completed'], options: {} },
		credential: { baseUrl, apiKey },
	});
	const timed = async (operation: () => Promise<unknown>): Promise<TimeSpan> => {
		const from = performance.timeOrigin + performance.now();
		await operation();
		return { from, to: performance.timeOrigin + performance.now() };
	};
	const published: Published = { publish: [], unpublish: [], peakMB: 0 };
	for (let round = 0; round < rounds; round++) {
		published.publish.push(await timed(() => node.publish()));
		published.unpublish.push(await timed(() => node.call('delete')));
	}
	published.peakMB = process.resourceUsage().maxRSS / 1000;
	process.stdout.write(JSON.stringify(published));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
