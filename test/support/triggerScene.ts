import type { IDataObject } from 'n8n-workflow';

import { NodeInWorkflow } from './n8nCore';
import { startScriptedService, type Script, type ScriptedService } from './scriptedService';

export const KEY = 'svc_live_one';

/** Somebody else's endpoint. */
export const FOREIGN = { id: 'foreign', url: 'https://crm.example.com/hooks' };

/** The service of a test, which has the foreign endpoint, and a trigger for `call.completed`. */
export let service: ScriptedService;
export let trigger: NodeInWorkflow;

/** Begins each test with a service and a trigger that is not published. */
export function useTrigger(): void {
	beforeEach(async () => {
		service = await startScriptedService();
		service.endpoints.push({ ...FOREIGN });
		trigger = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters: { events: ['call.completed'], options: { testEvent: 'real' } },
			credential: { baseUrl: service.baseUrl, apiKey: KEY },
		});
	});
	afterEach(async () => await service.stop());
}

/** Has the service do as a script says. */
export const script = (is: Script) => (service.script = is);

/** The trigger's endpoints, oldest first. */
export const ours = () => service.endpoints.filter(({ id }) => id !== FOREIGN.id);

export const tokenOf = (url: string) => new URL(url).searchParams.get('voice_agent_token') ?? '';
export const mask = (url: string) => url.replace(/=.*/, '=***');
export const copyOf = (data: IDataObject) => JSON.parse(JSON.stringify(data)) as IDataObject;

/** The requests that something makes. */
export async function requestsOf(act: () => Promise<unknown>): Promise<string[]> {
	const before = service.requests.length;
	await act();
	return service.requests.slice(before);
}
