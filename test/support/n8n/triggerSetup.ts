import { NodeInWorkflow } from './core';
import {
	startScriptedService,
	type Script,
	type ScriptedService,
} from '../service/scriptedService';

export const FOREIGN = { id: 'foreign', url: 'https://crm.example.com/hooks' };

/** The service of a test, which has the foreign endpoint, and a trigger for `call.completed`. */
export let service: ScriptedService;
export let trigger: NodeInWorkflow;

/** Starts a service for each test, and creates an unpublished trigger. */
export function useTrigger(): void {
	beforeEach(async () => {
		service = await startScriptedService();
		service.endpoints.push({ ...FOREIGN });
		trigger = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters: { events: ['call.completed'], options: { testEvent: 'real' } },
			credential: { baseUrl: service.baseUrl, apiKey: 'svc_live_one' },
		});
	});
	afterEach(async () => await service.stop());
}

/** Sets the script of the service. */
export const script = (responses: Script) => (service.script = responses);

/** The trigger's endpoints, oldest first. */
export const ownEndpoints = () => service.endpoints.filter(({ id }) => id !== FOREIGN.id);

/** @returns the requests that the service receives during an action */
export async function requestsOf(act: () => Promise<unknown>): Promise<string[]> {
	const before = service.requests.length;
	await act();
	return service.requests.slice(before);
}
