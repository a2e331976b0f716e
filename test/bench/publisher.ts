/*
 * Publishes and unpublishes a trigger again and again, in a process of its own whose memory is the
 * trigger's: `tsx publisher.ts '{"baseUrl": …, "apiKey": …, "rounds": …}'` prints {@link Published}.
 */
import '../support/noProxy';
import { NodeInWorkflow } from '../support/n8nCore';

/** When something was done: ms since 1970. */
export interface Span {
	from: number;
	to: number;
}

/** What publishing and unpublishing took. */
export interface Published {
	publish: Span[];
	unpublish: Span[];
	/** The most memory that the process ever held (MB). */
	megabytes: number;
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
	const timed = async (deed: () => Promise<unknown>): Promise<Span> => {
		const from = performance.timeOrigin + performance.now();
		await deed();
		return { from, to: performance.timeOrigin + performance.now() };
	};
	const published: Published = { publish: [], unpublish: [], megabytes: 0 };
	for (let round = 0; round < rounds; round++) {
		published.publish.push(await timed(() => node.publish()));
		published.unpublish.push(await timed(() => node.call('delete')));
	}
	published.megabytes = process.resourceUsage().maxRSS / 1000;
	process.stdout.write(JSON.stringify(published));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
