import { strict as assert } from 'node:assert';
import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/service';
import { until } from '../../../sandbox/stack/until';
import { newToken } from '../service/callbackTokens';
import { skipTime } from '../time/clock';
import { NodeInWorkflow, type CredentialData } from '../n8n/core';
import { pollOften } from './polls';
import { N8nLifecycle } from '../n8n/lifecycle';
import type { PairedService } from '../service/pairedServices';
import type { Receiver } from '../n8n/receiver';

const TOKEN = 'voice_agent_token';
/** Waits until lists show the current state, rate limits have passed, and a token can be looked up again. */
const settle = () => skipTime(10_000);

/** The lifecycle of a trigger with a service, beside another trigger with the same credential. */
export class RandomTrigger {
	private readonly lifecycle: N8nLifecycle;
	/** The IDs of foreign endpoints. */
	private foreign: string[] = [];
	private selected: string[] = [];
	private calls = 0;

	private constructor(
		private readonly trigger: NodeInWorkflow,
		private readonly other: NodeInWorkflow,
		private readonly sandbox: Sandbox,
		private readonly receiver: Receiver,
		private readonly service: PairedService,
		private readonly types: string[],
	) {
		this.lifecycle = new N8nLifecycle(trigger, undefined, skipTime);
	}

	static async create(
		credential: CredentialData,
		sandbox: Sandbox,
		receiver: Receiver,
		service: PairedService,
		types: string[],
	): Promise<RandomTrigger> {
		const create = async (events: string[]) =>
			await NodeInWorkflow.create('voiceAgentTrigger', {
				parameters: { events },
				credential,
				webhookBase: receiver.base,
			});
		const [trigger, other] = [await create([]), await create([types.at(-1)!])];
		const random = new RandomTrigger(trigger, other, sandbox, receiver, service, types);
		receiver.open(other);
		random.lifecycle.openRoutes(receiver);
		return random;
	}

	/** @throws an AssertionError that names the broken invariant */
	async runLifecycle(): Promise<void> {
		await this.other.publish();
		const similarUrl = `${this.trigger.webhookUrl()}/more?${TOKEN}=${newToken()}`;
		this.sandbox.addEndpoint({ url: similarUrl, events: [this.types.at(-1)!] });
		settle();
		this.foreign = this.sandbox.endpoints().map(({ id }) => id);
		await this.listenForTestEvent();
		await this.lifecycle.publish(this.parameters('events'));
		await this.check('a publish');
		await this.changeAndRestart();
		await this.lifecycle.publish(this.parameters('laterEvents'));
		await this.check('a publish of other event types');
		const [endpoint] = this.ownEndpoints();
		await this.lifecycle.startAs1x();
		assert.equal(this.ownEndpoints()[0]?.id, endpoint!.id, 'a matching endpoint is adopted');
		await this.lifecycle.unpublish();
		settle();
		assert.deepEqual(this.ownEndpoints(), [], 'an unpublish leaves no own endpoint');
		this.checkForeign('an unpublish');
	}

	/** Opens a test listener, which requests a sample from the service. */
	private async listenForTestEvent(): Promise<void> {
		const before = this.receiver.received.length;
		this.trigger.parameters = this.parameters('events');
		await this.lifecycle.toggleListener();
		assert.equal(this.ownEndpoints(true).length, 1, 'an open listener has one endpoint');
		const runs = () => this.receiver.received.slice(before).filter(({ items }) => items.length > 0);
		await until('the sample', 5, () => runs().length > 0);
		assert.equal(runs().length, 1, 'the sample runs once');
		await this.sandbox.settled();
		await this.lifecycle.toggleListener();
		assert.deepEqual(this.ownEndpoints(true), [], 'a closed listener leaves no endpoint');
		settle();
	}

	private async changeAndRestart(): Promise<void> {
		const { sandbox, lifecycle } = this;
		const [endpoint] = this.ownEndpoints();
		switch (this.service.change) {
			case 'nothing':
				break;
			case 'removed by hand':
				sandbox.removeEndpoint(endpoint!.id);
				break;
			case 'disabled':
				sandbox.disableEndpoint(endpoint!.id, { enabled: false, status: 'disabled' });
				break;
			case 'key rotated':
				this.trigger.credential = {
					...this.trigger.credential,
					apiKey: sandbox.createKey('Rotated', ['workspace:admin']),
				};
				await this.checkDeliveries();
				break;
			case 'static data lost':
				lifecycle.loseStaticData('nothing');
		}
		settle();
		await lifecycle.startAs1x();
		await this.letPollsMend();
		await this.check(`a start after ${this.service.change}`);
		const isAdopted = this.ownEndpoints()[0]?.id === endpoint!.id;
		if (this.service.change === 'nothing') assert.ok(isAdopted, 'a matching endpoint is adopted');
		if (this.service.change === 'disabled') assert.ok(!isAdopted, 'a disabled one is replaced');
	}

	/** Polls for some minutes. What they can't mend they report, and a person does what the report says. */
	private async letPollsMend(): Promise<void> {
		const reports: Error[] = [];
		for (let poll = 0; poll < 5; poll++) {
			skipTime(3 * 60_000);
			const started = await this.lifecycle.poll();
			reports.push(...started.filter((one) => one instanceof Error));
		}
		if (!reports.some(({ message }) => message.includes('publish it again'))) return;
		const { published } = this.lifecycle;
		await this.lifecycle.unpublish();
		await this.lifecycle.publish(published!);
	}

	/** Checks the own endpoint, foreign endpoints and deliveries. */
	private async check(after: string): Promise<void> {
		settle();
		const own = this.ownEndpoints();
		assert.equal(own.length, 1, `${after} leaves exactly one own endpoint`);
		assert.deepEqual(own[0]?.events ?? [], this.selected, `${after} keeps the selected types`);
		this.checkForeign(after);
		await this.checkDeliveries();
	}

	private async checkDeliveries(): Promise<void> {
		const [endpoint] = this.ownEndpoints();
		const isSelected = (type: string) => this.selected.length === 0 || this.selected.includes(type);
		const selected = this.types.find(isSelected)!;
		const unselected = this.types.filter((type) => !isSelected(type));
		for (const type of [selected, ...unselected.slice(0, 2), 'fax.arrived']) {
			const callId = `C${++this.calls}`;
			const before = this.receiver.received.length;
			settle();
			await this.sandbox.deliver(endpoint!.id, type, { call_id: callId });
			const [received] = this.receiver.received.slice(before);
			const what = `${type} for a trigger of ${this.selected.join(', ') || 'every event'}`;
			assert.equal(received?.status, 200, `${what} is accepted`);
			const runs = received.items.map((item) => JSON.stringify(item));
			if (unselected.includes(type)) assert.deepEqual(runs, [], `${what} does not run`);
			else
				assert.ok(runs.length === 1 && runs[0]!.includes(callId), `${what} runs: ${runs.join()}`);
		}
	}

	private parameters(choice: 'events' | 'laterEvents'): INodeParameters {
		const [completed, started] = this.types as [string, string];
		this.selected = {
			completed: [completed],
			started: [started],
			two: [started, completed],
			every: [],
		}[this.service[choice]];
		const options = {
			testEvent: 'sample',
			verifySignature: this.service.signature !== 'none',
		} as INodeParameters;
		const events = this.selected.length > 0 ? this.selected : ['*'];
		return { events, output: 'event', options, ...pollOften };
	}

	private ownEndpoints(test = false) {
		const address = this.trigger.webhookUrl(test);
		return this.sandbox.endpoints().filter(({ url }) => url.split('?')[0] === address);
	}

	private checkForeign(after: string): void {
		const own = this.ownEndpoints().map(({ id }) => id);
		const ids = this.sandbox.endpoints().map(({ id }) => id);
		const others = ids.filter((id) => !own.includes(id));
		assert.deepEqual(others, this.foreign, `${after} changes no foreign endpoint`);
	}
}
