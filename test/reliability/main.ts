/*
 * The reliability proof, in a real n8n: no event lost, no stranger let in, no secret left behind.
 * `npm run test:reliability`, or with a seed: `npm run test:reliability -- 1234`.
 */
import { randomInt } from 'node:crypto';
import { step } from '../../sandbox/stack/progress';
import { startStack } from '../../sandbox/stack/stack';
import { loseNoEvent, measureLimits } from './events';
import type { Report } from './report';
import { repelStrangers } from './strangers';

async function main(): Promise<string[]> {
	const seed = process.argv[2] ?? String(randomInt(1e6));
	const stack = await startStack({ env: { N8N_LOG_LEVEL: 'debug' } });
	try {
		const sizes = { events: 2000, republishes: 5, restarts: 3, kills: 3 };
		const parts: Array<[string, () => Promise<Report>]> = [
			['No event lost', () => loseNoEvent(stack, sizes, seed)],
			['What n8n itself imposes', () => measureLimits(stack, 5)],
			['Strangers', () => repelStrangers(stack, 10_000)],
		];
		const broken: string[] = [];
		for (const [title, prove] of parts) {
			const report = await step(title, prove);
			console.log(report.lines.map((line) => `    ${line}`).join('\n'));
			broken.push(...report.broken);
		}
		return broken;
	} finally {
		await step('Stop everything', () => stack.stop());
	}
}

main().then(
	(broken) => {
		for (const bound of broken) console.log(`BROKEN: ${bound}`);
		console.log(
			broken.length > 0
				? `test:reliability: ${broken.length} bound(s) broken`
				: 'test:reliability: no event lost, no stranger let in, no secret left behind',
		);
		process.exitCode = broken.length > 0 ? 1 : 0;
	},
	(error: unknown) => {
		console.error(error);
		process.exitCode = 1;
	},
);
