import type { FaultChooser } from '../../sandbox/service';
import type { Receiver } from '../support/receiver';
import {
	type ComparedTrigger,
	loadGithubTrigger,
	startGithubTrigger,
	startVoiceAgentTrigger,
} from './comparedTriggers';
import { type Report, table, violationsOf } from './report';
import { type FaultCounts, noFaults, ScenarioRun } from './scenarioRun';

type Step = (run: ScenarioRun) => Promise<void> | void;

const faultNames = Object.keys(noFaults) as Array<keyof FaultCounts>;

const loseFirstAnswerToCreate = (): FaultChooser => {
	let left = 1;
	return ({ method }) => (method === 'POST' && left-- > 0 ? { kind: 'drop-after' } : undefined);
};
const failToDelete: FaultChooser = ({ method }) =>
	method === 'DELETE' ? { kind: 'status', status: 500, body: { message: 'Fault' } } : undefined;
const down: FaultChooser = () => ({ kind: 'drop-before' });

const publish: Step = (run) => run.publish();
const publishOtherEvents: Step = (run) => run.publish({ selection: 1 });
const unpublish: Step = (run) => run.unpublish();
const unpublishWith =
	(fault: FaultChooser): Step =>
	(run) =>
		run.unpublish({ fault });
const startAs1x: Step = (run) => run.startAs1x();
const loseStaticData: Step = (run) => run.loseStaticData();
const changeWebhookUrl: Step = (run) => run.changeWebhookUrl();
const removeByHand: Step = (run) => run.removeByHand();
const repeat = (times: number, ...steps: Step[]) =>
	Array.from({ length: times }, () => steps).flat();

const scenarios: Record<string, Step[]> = {
	'published and unpublished, 10 times': repeat(10, publish, unpublish),
	'published with other events, 10 times': [
		...repeat(5, (run) => run.publish({ selection: 0 }), publishOtherEvents),
		unpublish,
	],
	'static data lost in a crash, other events published': [
		...[publish, loseStaticData, publishOtherEvents, unpublish],
	],
	'static data lost in a crash, n8n 1.x started': [
		...[publish, loseStaticData, startAs1x, unpublish],
	],
	'answer to create lost, published again': [
		(run) => run.publish({ fault: loseFirstAnswerToCreate() }),
		...[publish, unpublish],
	],
	'delete failed in all tries, published again': [
		...[publish, unpublishWith(failToDelete), publish, unpublish],
	],
	'delete failed in all tries, other events published': [
		...[publish, unpublishWith(failToDelete), publishOtherEvents, unpublish],
	],
	'service down during unpublish, published again': [
		...[publish, unpublishWith(down), publish, unpublish],
	],
	'service down during unpublish, never published again': [publish, unpublishWith(down)],
	'WEBHOOK_URL changed, n8n 1.x started': [publish, changeWebhookUrl, startAs1x, unpublish],
	'WEBHOOK_URL changed, other events published': [
		...[publish, changeWebhookUrl, publishOtherEvents, unpublish],
	],
	'endpoint removed by hand, n8n 1.x started': [publish, removeByHand, startAs1x, unpublish],
};

/**
 * Runs the same scenarios, with the same faults, with the Voice Agent Trigger and with n8n's GitHub
 * Trigger. n8n's calls and attempts are simulated by `N8nLifecycle`.
 */
export async function compareWithGithubTrigger(): Promise<Report> {
	// n8n's core logs a warning for each refused delivery.
	process.env.N8N_LOG_LEVEL ??= 'error';
	const github = await loadGithubTrigger();
	const triggers: Record<string, (receiver: Receiver) => Promise<ComparedTrigger>> = {
		'Voice Agent Trigger': startVoiceAgentTrigger,
		'GitHub Trigger': async (receiver) => await startGithubTrigger(receiver, github, true),
		'… without 422': async (receiver) => await startGithubTrigger(receiver, github, false),
	};
	const counts = await Promise.all(
		Object.values(triggers).map(
			async (start) =>
				await Promise.all(Object.values(scenarios).map((steps) => ScenarioRun.of(steps, start))),
		),
	);
	const sums = counts.map(sum);
	return {
		lines: table([
			['', ...Object.keys(triggers)],
			...Object.keys(scenarios).map((title, index) => [
				title,
				...counts.map((ofTrigger) => format(ofTrigger[index])),
			]),
			['all together', ...sums.map(format)],
		]),
		violations: violationsOf({
			// The scenario in which the service is down until n8n gives up.
			'comparison: the Voice Agent Trigger leaves one endpoint behind and has no other fault':
				format(sums[0]) === 'left behind 1',
		}),
	};
}

function sum(counts: FaultCounts[]): FaultCounts {
	const sums = { ...noFaults };
	for (const one of counts) {
		for (const name of faultNames) sums[name] += one[name];
	}
	return sums;
}

/** @returns the counts above zero, e.g. `left behind 1, events lost 2` */
function format(counts = noFaults): string {
	const found = faultNames.filter((name) => counts[name] > 0);
	return found.map((name) => `${name} ${counts[name]}`).join(', ') || '–';
}
