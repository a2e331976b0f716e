import type {
	IDataObject,
	IHookFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { adopt } from '../../../nodes/VoiceAgent/webhook/adopt';
import { create } from '../../../nodes/VoiceAgent/webhook/create';
import { remove } from '../../../nodes/VoiceAgent/webhook/remove';
import type { Fault } from '../../../sandbox/service';
import { skipTime } from '../time/clock';
import type { Interleaving } from './interleaving';
import { faults, type FaultName } from './faults';

const URL_ = 'https://n8n.example.com/webhook/1b9d/webhook';
const SETTINGS = { events: ['call.completed'], verifySignature: false, requestSample: false };

/** A fault of one request of the first publisher. */
export interface SingleFault {
	name: FaultName;
	/** The number of the request, from 0 on. */
	at: number;
}

/** The service keeps no log. */
const noRescue = async () => {};

/** A service in memory, at which two processes publish the same trigger at the same time. */
export class TwoPublishers {
	/** The endpoints of the service, the oldest first. */
	endpoints: Array<{ id: string; url: string; events: string[] }> = [];
	/** How many requests the first publisher has sent. */
	sent = 0;
	private created = 0;

	constructor(
		private readonly interleaving: Interleaving,
		private readonly fault?: SingleFault,
	) {}

	/** Publishes in both processes. Where a creation failed, n8n tries again after both calls have ended. */
	async publish(hasOld: boolean): Promise<void> {
		const stored: IDataObject = {};
		if (hasOld) await create(this.contextOf(stored), SETTINGS, noRescue);
		const contexts = [this.contextOf({ ...stored }, true), this.contextOf({ ...stored })];
		const failed: IHookFunctions[] = [];
		await this.interleaving.run(
			contexts.map((context) => async () => {
				await create(context, SETTINGS, noRescue).catch(() => failed.push(context));
			}),
		);
		for (const context of failed) {
			await remove(context, noRescue);
			if (!(await adopt(context, SETTINGS))) await create(context, SETTINGS, noRescue);
		}
	}

	/** Whether a process without static data adopts the endpoint. */
	async isAdopted(): Promise<boolean> {
		return await adopt(this.contextOf({}), SETTINGS);
	}

	private contextOf(staticData: IDataObject, isFirst = false): IHookFunctions {
		const log = () => {};
		const helpers = {
			httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) => {
				await this.interleaving.waitForTurn();
				const isFaulty = isFirst && this.sent++ === this.fault?.at;
				return this.respond(options, isFaulty ? this.fault?.name : undefined);
			},
		};
		return {
			helpers,
			logger: { debug: log, warn: log },
			getActivationMode: () => 'activate',
			getCredentials: async () =>
				await Promise.resolve({ baseUrl: 'https://api.example.com/v1', apiKey: 'svc_live_one' }),
			getInstanceId: () => 'n8n',
			getMode: () => 'trigger',
			getNode: () => ({ id: 'node', name: 'Trigger', parameters: {} }),
			getNodeWebhookUrl: () => URL_,
			getWorkflow: () => ({ id: 'aB3dE6gH9jK2mN5p' }),
			getWorkflowStaticData: (type: string) => (type === 'node' ? staticData : {}),
		} as unknown as IHookFunctions;
	}

	/** Answers a request, as the sandbox does with the fault. */
	private respond(options: IHttpRequestOptions, name?: FaultName): IN8nHttpFullResponse {
		// A request takes time, so that the tokens of two requests differ in their time.
		skipTime(1);
		const fault: Fault | 'refused' | undefined = name && faults[name];
		if (fault === 'refused') throw codeOf('ECONNREFUSED');
		if (!fault) return this.answer(options);
		if (fault.kind === 'status') return inText(fault.status, fault.body, fault.headers);
		if (fault.kind === 'empty') return inText(200, '');
		if (fault.kind === 'html') return inText(200, '<!doctype html>');
		const answer = fault.kind.endsWith('before') ? undefined : this.answer(options);
		if (fault.kind.startsWith('hang')) skipTime(options.timeout!);
		if (fault.kind.startsWith('hang')) throw codeOf('ETIMEDOUT');
		if (fault.kind.startsWith('drop')) throw codeOf('ECONNRESET');
		if (fault.kind === 'answer') return { ...answer!, body: JSON.stringify(fault.body) };
		const body = answer!.body as string;
		return { ...answer!, body: body.slice(0, body.length >> 1) };
	}

	private answer({ method, url, body }: IHttpRequestOptions): IN8nHttpFullResponse {
		const id = url.split('/webhooks/')[1];
		if (id === 'event-types') return inText(200, ['call.completed']);
		if (method === 'POST') {
			const wanted = JSON.parse(body as string) as { url: string; events: string[] };
			const endpoint = { id: `wh_${++this.created}`, ...wanted };
			this.endpoints.push(endpoint);
			return inText(201, endpoint);
		}
		if (method === 'GET') return inText(200, { data: this.endpoints });
		const isThere = this.endpoints.some((endpoint) => endpoint.id === id);
		this.endpoints = this.endpoints.filter((endpoint) => endpoint.id !== id);
		return inText(isThere ? 204 : 404, '');
	}
}

const codeOf = (code: string) => Object.assign(new Error(code), { code });
const inText = (statusCode: number, body: unknown, headers = {}) => ({
	statusCode,
	headers,
	body: body === '' ? '' : JSON.stringify(body),
});
