import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import type { Request, Response } from 'express';
import {
	ExecuteContext,
	HookContext,
	LoadOptionsContext,
	PollContext,
	WebhookContext,
} from 'n8n-core';
import {
	createEmptyRunExecutionData,
	Workflow,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IWebhookData,
	type IWorkflowExecuteAdditionalData,
	type IWorkflowSettings,
	type NodeApiError,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalData } from './additionalData';
import { parseBody } from './bodies';
import { loadPackage, type NodePackage } from './nodePackage';

/** The fields of a credential `voiceAgentApi`, as stored. */
export interface CredentialData {
	baseUrl: string;
	apiKey: string;
	authHeader?: string;
	webhookSigningSecret?: string;
	ignoreSSLIssues?: boolean;
}

/** The items of an execution by output, or its error. */
type Started = INodeExecutionData[][] | Error;

type NodeName = 'voiceAgent' | 'voiceAgentTrigger' | 'voiceAgentTool';

interface Options<Credential> {
	parameters?: INodeParameters;
	credential: Credential;
	webhookBase?: string;
}

/** The static data of a workflow, which n8n stores as one blob. */
export type StaticData = Pick<NodeInWorkflow<object>, 'staticData' | 'globalData'>;

/** @returns a copy, as the database stores it in JSON */
export function asStored<Data extends object>(data: Data): Data {
	return JSON.parse(JSON.stringify(data)) as Data;
}

/** A webhook method of a trigger. */
export type Method = 'checkExists' | 'create' | 'delete';

/** A node in a workflow, called with contexts of n8n-core. */
export class NodeInWorkflow<Credential extends object = CredentialData> {
	readonly workflowId = randomUUID().replaceAll('-', '').slice(0, 16);

	readonly webhookId: string = randomUUID();

	readonly nodeId: string = randomUUID();

	/** The node's stored static data; `{}` for a new workflow. */
	staticData: IDataObject = {};

	/** The stored static data of the workflow itself. */
	globalData: IDataObject = {};

	parameters: INodeParameters;

	credential: Credential;

	/** n8n's address for webhooks. */
	webhookBase: string;

	/** The execution hints of the last run. */
	hints: string[] = [];

	workflowSettings: IWorkflowSettings = {};

	/** The settings of the node itself, such as `retryOnFail`. */
	settings: Partial<INode> = {};

	/** The `Workflow` object of all calls of an activation; else, each call has its own. */
	private fixed?: { workflow: Workflow; node: INode; context: PollContext };

	/** What the last poll started. */
	private started: Started[] = [];

	/** The executions that polls have started, and the requests to the own webhook. */
	private runs: Array<Promise<unknown>> = [];

	/** @param types the package in the process of n8n that calls the node */
	private constructor(
		public types: NodePackage,
		readonly type: NodeName,
		options: Options<Credential>,
	) {
		this.parameters = options.parameters ?? {};
		this.credential = options.credential;
		this.webhookBase = options.webhookBase ?? 'https://n8n.example.com/';
	}

	/** @param types the package of the node; by default this package */
	static async create<Credential extends object = CredentialData>(
		type: NodeName,
		options: Options<Credential>,
		types?: NodePackage,
	): Promise<NodeInWorkflow<Credential>> {
		return new NodeInWorkflow(types ?? (await loadPackage()), type, options);
	}

	/** @returns the same node in another process of n8n, with static data of its own */
	twin(staticData: IDataObject): NodeInWorkflow<Credential> {
		const twin = Object.create(NodeInWorkflow.prototype) as NodeInWorkflow<Credential>;
		return Object.assign(twin, this, { staticData, globalData: asStored(this.globalData) });
	}

	/**
	 * @param run runs an execution that a poll starts, and returns the trigger's output, or why n8n can't start it
	 * @param requestOwn answers a request to the trigger's own webhook
	 * @returns the same node on one `Workflow` object, as n8n activates it: for its webhooks and its poll
	 */
	activation(
		mode: WorkflowActivateMode,
		run: (items: INodeExecutionData[][]) => Promise<INodeExecutionData[][] | Error>,
		requestOwn: (options: IHttpRequestOptions) => Promise<unknown>,
	): NodeInWorkflow<Credential> {
		const activation = Object.create(this) as NodeInWorkflow<Credential>;
		const { workflow, node } = this.workflow();
		const context = new PollContext(
			workflow,
			node,
			this.additionalData(),
			'trigger',
			mode,
			(data, _response, done) => {
				const execution = run(data).then((output) => {
					if (output instanceof Error) return done?.reject(output);
					activation.started.push(output);
					return done?.resolve(undefined as never);
				});
				activation.runs.push(execution);
			},
			(error) => activation.started.push(error),
		);
		const httpRequest = async (options: IHttpRequestOptions) => {
			const answer = requestOwn(options);
			activation.runs.push(answer.catch(() => {}));
			return await answer;
		};
		Object.assign(context.helpers, { httpRequest });
		// A change of the process concerns later activations.
		const { types } = this;
		return Object.assign(activation, { types, fixed: { workflow, node, context } });
	}

	webhookUrl(test = false): string {
		return this.hookContext(test).getNodeWebhookUrl('default') ?? '';
	}

	/** Calls a lifecycle method once. */
	async call(method: Method, test = false, activation?: WorkflowActivateMode): Promise<boolean> {
		const { webhookMethods } = this.nodeType();
		return await webhookMethods!.default![method].call(this.hookContext(test, activation, method));
	}

	/** Publishes as n8n does: calls `create` if `checkExists` returns false. */
	async publish(test = false): Promise<void> {
		if (!(await this.call('checkExists', test))) await this.call('create', test);
	}

	executeContext(items: IDataObject[] = [{}]): ExecuteContext {
		return this.contextOf(
			this.workflow(),
			items.map((json) => ({ json })),
			'manual',
		);
	}

	/** Runs the trigger in an execution that a poll has started. @returns its output */
	async runTrigger([items = []]: INodeExecutionData[][]): Promise<INodeExecutionData[][]> {
		const { workflow, node } = this.workflow();
		const context = this.contextOf({ workflow, node }, asStored(items), 'trigger');
		const output = (await this.nodeType().execute!.call(context)) as INodeExecutionData[][];
		this.keepStaticData(workflow, node);
		return output;
	}

	private contextOf(
		{ workflow, node }: { workflow: Workflow; node: INode },
		inputs: INodeExecutionData[],
		mode: WorkflowExecuteMode,
	): ExecuteContext {
		const data = { main: [inputs] };
		return new ExecuteContext(
			workflow,
			node,
			this.additionalData(),
			mode,
			createEmptyRunExecutionData(),
			0,
			inputs,
			data,
			{ node, data, source: null },
			[],
		);
	}

	/**
	 * Runs the action node on items.
	 *
	 * @throws its error, with message and description in the message, since n8n shows both
	 */
	async execute(items?: IDataObject[]): Promise<INodeExecutionData[]> {
		const context = this.executeContext(items);
		const running = this.nodeType().execute!.call(context) as Promise<INodeExecutionData[][]>;
		const output = await running.catch((error: NodeApiError) => {
			error.message = [error.message, error.description].filter(Boolean).join(' ');
			throw error;
		});
		this.hints = context.hints.map(({ message }) => message);
		return output[0] ?? [];
	}

	/** Loads the options of a parameter for the editor. @param path of a parameter in a collection */
	async loadOptions(method: string, path?: string) {
		const context = this.loadOptionsContext(path);
		return await this.nodeType().methods!.loadOptions![method]!.call(context);
	}

	/** Searches the list of a resource locator, as the editor does. */
	async listSearch(method: string, filter?: string) {
		const search = this.nodeType().methods!.listSearch![method]!;
		return (await search.call(this.loadOptionsContext(), filter)).results;
	}

	/** Calls the node's webhook method with a request. */
	async receive(request: Request, response: Response, mode: WorkflowExecuteMode = 'webhook') {
		const { workflow, node } = this.workflow();
		await parseBody(request);
		const data = { ...this.additionalData(), httpRequest: request, httpResponse: response };
		const webhook = this.webhookData(mode === 'manual');
		const context = new WebhookContext(workflow, node, data, mode, webhook, [], null);
		const result = await this.nodeType().webhook!.call(context);
		this.keepStaticData(workflow, node);
		return result;
	}

	/** Polls in an activation. @returns each started execution, or its error */
	async poll(): Promise<Started[]> {
		this.started = [];
		this.runs = [];
		await this.nodeType().poll?.call(this.fixed!.context);
		for (let ended = -1; ended < this.runs.length; ) {
			ended = this.runs.length;
			await Promise.all(this.runs);
			// What has ended is recorded next.
			await setImmediate();
		}
		return this.started;
	}

	/** @returns the static data of an activation if they have changed since the last call; n8n stores no others */
	takeChanges(): StaticData | undefined {
		const { workflow, node } = this.fixed!;
		const { staticData } = workflow as { staticData: { __dataChanged?: boolean } };
		if (!staticData.__dataChanged) return undefined;
		staticData.__dataChanged = false;
		this.keepStaticData(workflow, node);
		return this;
	}

	private nodeType(): INodeType {
		return this.types.nodeTypes.getByNameAndVersion(this.type);
	}

	private workflow() {
		if (this.fixed) return this.fixed;
		const node: INode = {
			id: this.nodeId,
			name: 'Voice Agent',
			type: `n8n-nodes-voice-agent.${this.type}`,
			typeVersion: this.nodeType().description.version as number,
			position: [0, 0],
			webhookId: this.webhookId,
			parameters: structuredClone(this.parameters),
			credentials: { [this.types.credentialType.name]: { id: '1', name: 'Account' } },
			...this.settings,
		};
		const workflow = new Workflow({
			id: this.workflowId,
			nodes: [node],
			connections: {},
			active: false,
			nodeTypes: this.types.nodeTypes,
			settings: this.workflowSettings,
			staticData: asStored({ global: this.globalData, 'node:Voice Agent': this.staticData }),
		});
		return { workflow, node: workflow.getNode('Voice Agent')! };
	}

	private keepStaticData(workflow: Workflow, node: INode): void {
		this.staticData = workflow.getStaticData('node', node);
		this.globalData = workflow.getStaticData('global');
	}

	private hookContext(
		test: boolean,
		activation: WorkflowActivateMode = test ? 'manual' : 'activate',
		method?: Method,
	): HookContext {
		const { workflow, node } = this.workflow();
		this.keepStaticData(workflow, node);
		// n8n ends a test listener as it unpublishes.
		const mode = method === 'delete' ? 'internal' : test ? 'manual' : 'trigger';
		const [data, webhook] = [this.additionalData(), this.webhookData(test)];
		return new HookContext(workflow, node, data, mode, activation, webhook);
	}

	private loadOptionsContext(path = ''): LoadOptionsContext {
		const { workflow, node } = this.workflow();
		const data = { ...this.additionalData(), currentNodeParameters: this.parameters };
		return new LoadOptionsContext(workflow, node, data, path);
	}

	private webhookData(isTest: boolean): IWebhookData {
		return {
			httpMethod: 'POST',
			node: 'Voice Agent',
			path: `${this.webhookId}/webhook`,
			webhookDescription: this.nodeType().description.webhooks![0]!,
			workflowId: this.workflowId,
			workflowExecuteAdditionalData: this.additionalData(),
			isTest,
		};
	}

	private additionalData(): IWorkflowExecuteAdditionalData {
		const { credentialType } = this.types;
		const data = additionalData(credentialType, this.webhookBase, () => ({ ...this.credential }));
		// `N8N_EDITOR_BASE_URL` of n8n
		return { ...data, instanceBaseUrl: 'https://editor.example.com/' };
	}
}
