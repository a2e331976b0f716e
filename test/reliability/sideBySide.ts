import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type {
	ICredentialType,
	IHttpRequestOptions,
	INodeParameters,
	INodeType,
	INodeTypes,
} from 'n8n-workflow';
import { type FaultChooser, startSandbox } from '../../sandbox/service';
import { installN8n } from '../../sandbox/stack/install-n8n';
import { NodeInWorkflow, type NodePackage } from '../support/n8nCore';
import { Receiver } from '../support/receiver';
import { N8nLifecycle } from '../support/n8nLifecycle';
import { type Service, startGithubHooks } from './githubHooks';
import { brokenOf, type Report, table } from './report';

/** A trigger in an n8n of its own, and a service of its own. */
interface Side {
	node: NodeInWorkflow<object>;
	service: Service;
	/** Two choices of events, which have nothing in common. */
	choices: [string, string];
	parametersFor: (event: string) => INodeParameters;
}

/** What went wrong in a story. */
const nothing = {
	/** Endpoints above one while the workflow is published. */
	duplicates: 0,
	/** Endpoints that are there at the end, when the workflow is unpublished. */
	'left behind': 0,
	/** Endpoints of others that were changed or removed. */
	'others touched': 0,
	/** Events that started no run: no endpoint, or its delivery was refused. */
	'events lost': 0,
	/** Publishes and starts that n8n gave up. */
	'publishes failed': 0,
};
type Tally = typeof nothing;
const kinds = Object.keys(nothing) as Array<keyof Tally>;

type Step = (told: Telling) => Promise<void> | void;
type Story = Step[];

const loseFirstAnswerToCreate = (): FaultChooser => {
	let left = 1;
	return ({ method }) => (method === 'POST' && left-- > 0 ? { kind: 'drop-after' } : undefined);
};
const failToDelete: FaultChooser = ({ method }) =>
	method === 'DELETE' ? { kind: 'status', status: 500, body: { message: 'Fault' } } : undefined;
const down: FaultChooser = () => ({ kind: 'drop-before' });

const publish: Step = (n8n) => n8n.publish();
const publishWith =
	(choice: number): Step =>
	(n8n) =>
		n8n.publish({ choice });
const unpublish: Step = (n8n) => n8n.unpublish();
const unpublishWhile =
	(fault: FaultChooser): Step =>
	(n8n) =>
		n8n.unpublish({ fault });
const startAs1x: Step = (n8n) => n8n.startAs1x();
const loseStaticData: Step = (n8n) => n8n.loseStaticData();
const changeWebhookUrl: Step = (n8n) => n8n.changeWebhookUrl();
const turns = Array.from({ length: 10 }, (_, turn) => turn);

const stories: Record<string, Story> = {
	'published and unpublished, 10 times': turns.flatMap(() => [publish, unpublish]),
	'published with other events, 10 times': [
		...turns.map((turn) => publishWith(turn % 2)),
		unpublish,
	],
	'static data lost in a crash, other events published': [
		...[publish, loseStaticData, publishWith(1), unpublish],
	],
	'static data lost in a crash, n8n 1.x started': [
		...[publish, loseStaticData, startAs1x, unpublish],
	],
	'answer to create lost, published again': [
		(n8n) => n8n.publish({ fault: loseFirstAnswerToCreate() }),
		...[publish, unpublish],
	],
	'delete failed in all tries, published again': [
		...[publish, unpublishWhile(failToDelete), publish, unpublish],
	],
	'delete failed in all tries, other events published': [
		...[publish, unpublishWhile(failToDelete), publishWith(1), unpublish],
	],
	'service down during unpublish, published again': [
		...[publish, unpublishWhile(down), publish, unpublish],
	],
	'service down during unpublish, never published again': [publish, unpublishWhile(down)],
	'WEBHOOK_URL changed, n8n 1.x started': [publish, changeWebhookUrl, startAs1x, unpublish],
	'WEBHOOK_URL changed, other events published': [
		...[publish, changeWebhookUrl, publishWith(1), unpublish],
	],
	'endpoint removed by hand, n8n 1.x started': [
		...[publish, (n8n: Telling) => n8n.removeByHand(), startAs1x, unpublish],
	],
};

/**
 * Tells the same stories, with the same faults, to our trigger and to n8n's own GitHub Trigger, each
 * in n8n's order and number of tries ({@link N8nLifecycle}), and counts what goes wrong.
 */
export async function compareWithGithubTrigger(): Promise<Report> {
	// It warns of each refused delivery.
	process.env.N8N_LOG_LEVEL ??= 'error';
	const github = await loadGithubTrigger();
	const sides: Record<string, (receiver: Receiver) => Promise<Side>> = {
		'Voice Agent Trigger': voiceAgentSide,
		'GitHub Trigger': async (receiver) => await githubSide(receiver, github, true),
		'… without 422': async (receiver) => await githubSide(receiver, github, false),
	};
	const tallies = await Promise.all(
		Object.values(sides).map(
			async (start) =>
				await Promise.all(Object.values(stories).map((story) => Telling.of(story, start))),
		),
	);
	const sums = tallies.map(sum);
	const [ours] = sums;
	return {
		lines: table([
			['', ...Object.keys(sides)],
			...Object.keys(stories).map((title, index) => [
				title,
				...tallies.map((side) => inWords(side[index] ?? nothing)),
			]),
			['all together', ...sums.map(inWords)],
		]),
		// Of what n8n gives up itself, no node can remove anything.
		broken: brokenOf({
			'side by side: nothing goes wrong but for one endpoint that n8n gives up':
				inWords(ours ?? nothing) === 'left behind 1',
		}),
	};
}

function sum(tallies: Tally[]): Tally {
	const all = { ...nothing };
	for (const tally of tallies) {
		for (const kind of kinds) all[kind] += tally[kind];
	}
	return all;
}

function inWords(tally: Tally): string {
	const wrong = kinds.filter((kind) => tally[kind] > 0);
	return wrong.map((kind) => `${kind} ${tally[kind]}`).join(', ') || '–';
}

/** A story that is being told to one side. */
class Telling {
	private readonly lifecycle: N8nLifecycle;

	private readonly foreign: unknown[];

	private isPublished = false;

	private event: string;

	private readonly tally = { ...nothing };

	private constructor(
		private readonly receiver: Receiver,
		private readonly side: Side,
	) {
		const { node, service } = side;
		this.lifecycle = new N8nLifecycle(node, async (method) => await node.call(method));
		this.event = side.choices[0];
		service.addEndpoint({ url: `${node.webhookUrl()}-of-another`, events: [...side.choices] });
		this.foreign = service.endpoints();
	}

	/** Tells a story from beginning to end. */
	static async of(story: Story, startSide: (receiver: Receiver) => Promise<Side>): Promise<Tally> {
		const receiver = await Receiver.start();
		const side = await startSide(receiver);
		try {
			const telling = new Telling(receiver, side);
			for (const step of story) await step(telling);
			return telling.end();
		} finally {
			await side.service.stop();
			await receiver.stop();
		}
	}

	/** Publishes with the choice of events of that number; without one, with the last. */
	async publish({ choice, fault }: { choice?: number; fault?: FaultChooser } = {}): Promise<void> {
		this.event = choice === undefined ? this.event : (this.side.choices[choice] ?? this.event);
		this.isPublished = true;
		const parameters = this.side.parametersFor(this.event);
		await this.during(fault, async () => await this.lifecycle.publish(parameters));
	}

	async unpublish({ fault }: { fault?: FaultChooser } = {}): Promise<void> {
		this.isPublished = false;
		await this.during(fault, async () => await this.lifecycle.unpublish());
	}

	async startAs1x(): Promise<void> {
		await this.during(undefined, async () => await this.lifecycle.startAs1x());
	}

	async loseStaticData(): Promise<void> {
		this.lifecycle.loseStaticData(true);
		await this.look();
	}

	/** The old address is dead from then on. n8n 2.41 calls nothing when it starts, so neither does this. */
	changeWebhookUrl(): void {
		this.side.node.webhookBase = `${this.receiver.base}moved/`;
	}

	removeByHand(): void {
		for (const { id } of this.ours()) this.side.service.removeEndpoint(id);
	}

	private async during(fault: FaultChooser | undefined, act: () => Promise<void>): Promise<void> {
		const { service } = this.side;
		service.fault = fault;
		try {
			await act();
		} catch {
			this.tally['publishes failed']++;
		} finally {
			service.fault = undefined;
		}
		await this.look();
	}

	/** Counts the endpoints, and has one event happen. */
	private async look(): Promise<void> {
		if (!this.isPublished) return;
		const { receiver, lifecycle, side } = this;
		const { node, service } = side;
		this.tally.duplicates += Math.max(this.ours().length - 1, 0);

		receiver.close();
		if (lifecycle.hasRoute) receiver.open(node);
		lifecycle.load();
		const stored = structuredClone(node.staticData);
		const before = receiver.received.length;
		service.emit(this.event);
		await service.settled();
		if (!isDeepStrictEqual(node.staticData, stored)) lifecycle.save();
		const hasRun = receiver.received.slice(before).some(({ items }) => items.length > 0);
		if (!hasRun) this.tally['events lost']++;
	}

	private end(): Tally {
		const untouched = this.foreign.filter((foreign) =>
			this.side.service.endpoints().some((endpoint) => isDeepStrictEqual(endpoint, foreign)),
		);
		return {
			...this.tally,
			'left behind': this.ours().length,
			'others touched': this.foreign.length - untouched.length,
		};
	}

	private ours() {
		const { node, service } = this.side;
		return service
			.endpoints()
			.filter(({ url }) => new URL(url).pathname.endsWith(`/${node.webhookId}/webhook`));
	}
}

async function voiceAgentSide({ base, certificate }: Receiver): Promise<Side> {
	const service = await startSandbox({ ca: certificate.ca, dialect: { retrySchedule: 'eager' } });
	const node = await NodeInWorkflow.create('voiceAgentTrigger', {
		credential: { baseUrl: service.baseUrl, apiKey: service.adminKey },
		webhookBase: base,
	});
	return {
		node,
		service,
		choices: ['call.completed', 'call.failed'],
		parametersFor: (event) => ({ events: [event], options: {} }),
	};
}

async function githubSide(
	{ base, certificate }: Receiver,
	types: NodePackage,
	refusesDuplicates: boolean,
): Promise<Side> {
	const service = await startGithubHooks(certificate.ca, refusesDuplicates);
	const node = await NodeInWorkflow.create(
		'githubTrigger',
		{ credential: { server: service.url, accessToken: 'any' }, webhookBase: base },
		types,
	);
	const byName = (value: string) => ({ __rl: true, mode: 'name', value });
	const target = { owner: byName('owner'), repository: byName('repository') };
	return {
		node,
		service,
		choices: ['push', 'issues'],
		parametersFor: (event) => ({ ...target, events: [event], options: {} }),
	};
}

/** Takes the GitHub Trigger and its credential out of an installed n8n 2.41. */
async function loadGithubTrigger(): Promise<NodePackage> {
	const load = createRequire(join(await installN8n('2.41'), 'package.json'));
	const { GithubTrigger } = load(
		'n8n-nodes-base/dist/nodes/Github/GithubTrigger.node.js',
	) as Record<'GithubTrigger', new () => INodeType>;
	const { GithubApi } = load('n8n-nodes-base/dist/credentials/GithubApi.credentials.js') as Record<
		'GithubApi',
		new () => ICredentialType
	>;
	const trigger = new GithubTrigger();
	const nodeTypes: INodeTypes = {
		getByName: () => trigger,
		getByNameAndVersion: () => trigger,
		getKnownTypes: () => ({}),
	};
	const credentialType = new GithubApi();
	// What its declarative form says, which only n8n itself can read.
	credentialType.authenticate = ({ accessToken }, request: IHttpRequestOptions) =>
		Promise.resolve({
			...request,
			headers: { ...request.headers, Authorization: `token ${accessToken as string}` },
		});
	return { nodeTypes, credentialType };
}
