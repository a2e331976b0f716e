/*
 * The reliability proof, in a real n8n: no event lost, no stranger let in, no secret left behind.
 * `npm run test:reliability`, or with a seed: `npm run test:reliability -- 1234`.
 * Only the comparison with another trigger: `npm run test:reliability -- side-by-side`.
 */
import '../support/noProxy';
import { randomInt } from 'node:crypto';
import { step } from '../../sandbox/stack/progress';
import { startStack } from '../../sandbox/stack/stack';
import { loseNoEvent, measureLimits } from './events';
import type { Report } from './report';
import { compareWithGithubTrigger } from './sideBySide';
import { keepSecrets } from './secrets';
import { repelStrangers } from './strangers';

type Part = [title: string, prove: () => Promise<Report>];

const sideBySide: Part = ["Side by side with n8n's GitHub Trigger", compareWithGithubTrigger];

async function main(): Promise<string[]> {
	if (process.argv[2] === 'side-by-side') return await proveAll([sideBySide]);
	const seed = process.argv[2] ?? String(randomInt(1e6));
	const stack = await startStack({ env: { N8N_LOG_LEVEL: 'debug' } });
	try {
		const sizes = { events: 2000, republishes: 5, restarts: 3, kills: 3 };
		return await proveAll([
			['No event lost', () => loseNoEvent(stack, sizes, seed)],
			['What n8n itself imposes', () => measureLimits(stack, 5)],
			['Strangers', () => repelStrangers(stack, 10_000)],
			['Secrets', () => keepSecrets(stack)],
			sideBySide,
		]);
	} finally {
		await step('Stop everything', () => stack.stop());
	}
}

/** Shows the figures of each part, and gives the bounds that did not hold. */
async function proveAll(parts: Part[]): Promise<string[]> {
	const broken: string[] = [];
	for (const [title, prove] of parts) {
		const report = await step(title, prove);
		console.log(report.lines.map((line) => `    ${line}`).join('\n'));
		broken.push(...report.broken);
	}
	return broken;
}

main().then(
	(broken) => {
		for (const bound of broken) console.log(`BROKEN: ${bound}`);
		console.log(
			broken.length > 0
				? `test:reliability: ${broken.length} bound(s) broken`
				: 'test:reliability: every bound holds',
		);
		process.exitCode = broken.length > 0 ? 1 : 0;
	},
	(error: unknown) => {
		console.error(error);
		process.exitCode = 1;
	},
);
