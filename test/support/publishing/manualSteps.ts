import type { LifecycleCalls } from './calls';
import { requiresUniqueUrl } from './services';
import { enabledFields, similarUrls, type Step } from './steps';
import { NodeInWorkflow } from '../n8n/core';

/** Runs a user's steps at the service, and steps with copies of the workflow. */
export class LifecycleManualSteps {
	constructor(private readonly calls: LifecycleCalls) {}

	async run(step: Step): Promise<void> {
		const { fixture, observer } = this.calls;
		const { sandbox } = fixture;
		const [oldest] = fixture.ownEndpoints();
		switch (step.do) {
			case 'remove by hand':
				if (oldest) sandbox.removeEndpoint(oldest.id);
				return void observer.expectedCounts.delete(false);
			case 'move by hand':
				if (!oldest) return;
				sandbox.moveEndpoint(oldest.id, similarUrls.host(oldest.url));
				this.addForeign(oldest.id);
				return void observer.expectedCounts.delete(false);
			case 'duplicate by hand': {
				if (requiresUniqueUrl(fixture.kind)) return;
				const newUrl = fixture.unregisteredUrl();
				const { url, events } = fixture.ownEndpoints().at(-1) ?? { url: newUrl };
				sandbox.addEndpoint({ url: step.token === 'same' ? url : newUrl, events });
				return void observer.expectedCounts.delete(false);
			}
			case 'disable':
				if (!oldest) return;
				sandbox.disableEndpoint(oldest.id, step.shown);
				// The fields replace those of an earlier step.
				if (enabledFields.includes(step.shown)) return void fixture.disabledIds.delete(oldest.id);
				return void fixture.disabledIds.add(oldest.id);
			case 'rotate key': {
				const apiKey = sandbox.createKey('Rotated', ['workspace:admin']);
				fixture.node.credential = { ...fixture.node.credential, apiKey };
				return;
			}
			case 'become a copy':
				return await this.becomeCopy();
			case 'add foreign': {
				// A copy of the workflow in another n8n makes valid tokens with the same API key.
				const url = fixture.ownEndpoints().at(-1)?.url ?? fixture.unregisteredUrl();
				return this.addForeign(sandbox.addEndpoint({ url: similarUrls[step.difference](url) }));
			}
		}
	}

	/** Limits the number of endpoints, foreign endpoints not counted. */
	limitEndpoints(): void {
		const { kind, sandbox, foreign } = this.calls.fixture;
		if (kind.limit === undefined) return;
		sandbox.setQuota({ endpoints: foreign.length + kind.limit, status: 403 });
	}

	/** Replaces the static data with the static data of another published workflow. */
	private async becomeCopy(): Promise<void> {
		const { fixture, lifecycle } = this.calls;
		const { parameters, credential, webhookBase } = fixture.node;
		const options = { parameters, credential, webhookBase };
		const original = await NodeInWorkflow.create('voiceAgentTrigger', options);
		fixture.receiver.open(original);
		const before = fixture.sandbox.endpoints().map(({ id }) => id);
		fixture.sandbox.setQuota(undefined);
		await original.publish();
		const published = fixture.sandbox.endpoints().filter(({ id }) => !before.includes(id));
		for (const { id } of published) this.addForeign(id);
		lifecycle.become(original.staticData);
	}

	private addForeign(id: string): void {
		const { foreign, sandbox } = this.calls.fixture;
		const ids = [...foreign.map((endpoint) => endpoint.id), id];
		const endpoints = sandbox.endpoints().filter((endpoint) => ids.includes(endpoint.id));
		foreign.splice(0, foreign.length, ...endpoints);
		this.limitEndpoints();
	}
}
