import type { WorkflowActivateMode } from 'n8n-workflow';

import type { TriggerState } from '../../../nodes/VoiceAgent/state/triggerState';
import { skipTime } from '../time/clock';
import { CallObserver } from './callObserver';
import type { LifecycleFixture, StoredEndpoint } from './fixture';
import { hidesSecrets } from './services';
import { asStored, type NodeInWorkflow } from '../n8n/core';
import type { Method } from '../n8n/core';
import { N8nLifecycle } from '../n8n/lifecycle';

/** Makes n8n's calls of the webhook methods, with deliveries while `create` runs. */
export class LifecycleCalls {
	readonly lifecycle: N8nLifecycle;
	/** Whether the service delivers to the next new endpoint while `create` still runs. */
	deliversEarly = false;
	/** The state that was last written by a call at the production URL. */
	written = (): TriggerState => ({});
	/** Whether a delivery has closed the test listener while `create` ran. */
	isListenerClosed = false;

	readonly observer: CallObserver;

	constructor(readonly fixture: LifecycleFixture) {
		this.observer = new CallObserver(fixture, () => this.lifecycle.receiver(false).staticData);
		this.lifecycle = new N8nLifecycle(
			fixture.node,
			async (...call) => await this.call(...call),
			skipTime,
		);
	}

	private async call(
		method: Method,
		test: boolean,
		node: NodeInWorkflow<object>,
		activation?: WorkflowActivateMode,
	): Promise<boolean> {
		const { fixture, observer } = this;
		const call = observer.start(method, test);
		const beforeRequest = async () => {
			if (call.isListenerClosed) return;
			observer.checkNoGap(call);
			const [created] = observer.createdSince(call);
			if (!created || !this.deliversEarly) return;
			this.deliversEarly = false;
			call.isListenerClosed = await this.deliverEarly(created, test);
		};
		fixture.faults.beforeRequest = method === 'create' ? beforeRequest : undefined;
		if (!test) this.written = () => node.staticData;
		try {
			const run = async () => await node.call(method, test, activation);
			const result = await observer.observe(call, run);
			if (method === 'create' && !call.isListenerClosed) observer.checkNoGap(call);
			return result;
		} finally {
			fixture.faults.beforeRequest = undefined;
			const state: TriggerState = asStored(node.staticData);
			if (!test) this.written = () => state;
		}
	}

	/**
	 * Delivers to a new endpoint while `create` runs, when n8n has not stored its static data yet.
	 *
	 * @returns whether the delivery closed the test listener
	 */
	private async deliverEarly(endpoint: StoredEndpoint, test: boolean): Promise<boolean> {
		const { fixture, observer } = this;
		const [type = 'chat.completed'] = fixture.node.parameters.events as string[];
		const receiver = this.lifecycle.receiver(test);
		const { status, isStarted } = await fixture.deliver(receiver, endpoint, type, { test });
		const expected = hidesSecrets(fixture.kind) ? 503 : 200;
		observer.expectInvariant(
			status === expected && isStarted === (status === 200),
			`a delivery while create runs is answered ${expected}, not ${status}`,
		);
		if (!test || !isStarted) return false;
		this.isListenerClosed = true;
		await this.call('delete', true, receiver).catch(() => {});
		// An endpoint missing from a delayed list stays, as after a killed listener.
		if (fixture.kind.lagMs) observer.expectedCounts.delete(true);
		return true;
	}
}
