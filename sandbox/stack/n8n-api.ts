import { randomBytes, randomUUID } from 'node:crypto';
import axios, { type AxiosInstance, type Method } from 'axios';
import { parse } from 'flatted';
import type {
	IDataObject,
	INodeExecutionData,
	INodeTypeDescription,
	IRunExecutionData,
	IWorkflowBase,
} from 'n8n-workflow';
import type { Line } from './install-n8n';
import { until } from './until';

/** The parts of a workflow, as in an exported file. */
export type WorkflowJson = Pick<IWorkflowBase, 'name' | 'nodes' | 'connections'> &
	Partial<Pick<IWorkflowBase, 'settings'>>;

/** A workflow as n8n stores it. */
export type StoredWorkflow = WorkflowJson & {
	id: string;
	versionId: string;
	active: boolean;
	/** `global`, and `node:NAME` of each node. */
	staticData?: Partial<Record<string, IDataObject>>;
};

export interface ExecutionSummary {
	id: string;
	status: string;
	mode: string;
}

export interface Execution extends ExecutionSummary {
	data: IRunExecutionData;
	/** What nodes let the execution show, the editor's _highlighted data_. */
	customData: Record<string, string>;
}

/** A node as far as its dynamic parameters depend on it. */
export interface NodeInEditor {
	/** The node type, e.g. `n8n-nodes-voice-agent.voiceAgent`. */
	type: string;
	parameters: IDataObject;
	/** By credential type. */
	credentials: Record<string, { id: string; name: string }>;
}

/** A choice of a list in the editor. */
export interface Choice {
	name: string;
	value: string;
	description?: string;
}

/** A column of a data table, as the editor and the Data Table node name it. */
export interface Column {
	name: string;
	type: 'string' | 'number' | 'boolean' | 'date';
}

type Answer = { data: unknown };

/**
 * n8n's own REST API, as its editor uses it. The API is not public: the routes are those of the lines in
 * `sandbox/n8n`, whose differences are described at {@link N8nApi.settled}.
 */
export class N8nApi {
	private constructor(
		private readonly http: AxiosInstance,
		readonly line: Line,
		/** The owner's, to log in to the editor. */
		readonly login: { email: string; password: string },
	) {}

	/**
	 * Makes the owner of a new n8n, with a random password, and logs in.
	 *
	 * @param url the address of n8n, without a path
	 */
	static async asNewOwner(url: string, line: Line): Promise<N8nApi> {
		const login = {
			email: 'owner@example.com',
			password: `Aa1${randomBytes(12).toString('base64url')}`,
		};
		const http = axios.create({
			baseURL: `${url}/rest`,
			headers: { 'browser-id': randomUUID() },
			timeout: 120_000,
			proxy: false,
		});
		const { headers } = await http.post('/owner/setup', {
			...login,
			firstName: 'Local',
			lastName: 'Owner',
		});
		const cookies = (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]);
		http.defaults.headers.common.cookie = cookies.join('; ');
		return new N8nApi(http, line, login);
	}

	/**
	 * Calls any route under `/rest`.
	 *
	 * @returns the field `data` of the answer
	 * @throws an Error with n8n's own message
	 */
	async request<T>(method: Method, path: string, data?: object, params?: object): Promise<T> {
		try {
			const answer = await this.http.request<Answer>({ method, url: path, data, params });
			return answer.data.data as T;
		} catch (error) {
			if (!axios.isAxiosError<{ message?: string }>(error)) throw error;
			const message = error.response?.data.message ?? error.message;
			throw new Error(`n8n: ${method} ${path}: ${error.status} ${message}`);
		}
	}

	/** Creates a credential. @returns the reference of nodes to it */
	async newCredentials<Type extends string>(type: Type, data: IDataObject) {
		const credential = { name: type, type, data };
		const { id } = await this.request<{ id: string }>('POST', '/credentials', credential);
		const reference = { id, name: type };
		return { [type]: reference } as Record<Type, typeof reference>;
	}

	async createWorkflow(workflow: WorkflowJson): Promise<StoredWorkflow> {
		return await this.request('POST', '/workflows', { settings: {}, active: false, ...workflow });
	}

	async workflow(id: string): Promise<StoredWorkflow> {
		return await this.request('GET', `/workflows/${id}`);
	}

	/** Saves a new version. The published version stays until {@link publish}. */
	async updateWorkflow(id: string, changes: Partial<WorkflowJson>): Promise<StoredWorkflow> {
		const { versionId } = await this.workflow(id);
		return await this.request('PATCH', `/workflows/${id}`, { versionId, ...changes });
	}

	/**
	 * Publishes the last saved version, and waits until its triggers run.
	 *
	 * @throws an Error with the trigger's error, once n8n has given up
	 */
	async publish(id: string): Promise<void> {
		const { versionId } = await this.workflow(id);
		await this.request('POST', `/workflows/${id}/activate`, { versionId });
		await this.settled(id);
	}

	/** Unpublishes, and waits until n8n has stopped the triggers. */
	async unpublish(id: string): Promise<void> {
		await this.request('POST', `/workflows/${id}/deactivate`, {});
		await this.settled(id);
	}

	/**
	 * Waits until n8n has published or unpublished a workflow. n8n 2.41 answers at once and works in the
	 * background; older lines answer at the end.
	 */
	private async settled(id: string): Promise<void> {
		if (this.line !== '2.41') return;
		type Publication = { status: string; triggers: Array<{ errorMessage: string | null }> };
		const { status, triggers } = await until(`workflow ${id}'s publication`, 150, async () => {
			const path = `/workflows/${id}/publication-status`;
			const publication = await this.request<Publication>('GET', path);
			return publication.status !== 'in_progress' && publication;
		});
		if (status === 'failed' || status === 'partial') {
			const errors = triggers.map(({ errorMessage }) => errorMessage).filter(Boolean);
			throw new Error(`Publishing failed: ${errors.join('; ')}`);
		}
	}

	/**
	 * Starts a manual run.
	 *
	 * @param trigger the name of the trigger node to start from
	 * @returns the execution's id; undefined if the trigger now waits for a test event
	 */
	async run(workflowId: string, trigger: string): Promise<string | undefined> {
		const { executionId } = await this.request<{ executionId?: string }>(
			'POST',
			`/workflows/${workflowId}/run`,
			{
				// n8n 1.x runs the workflow of the request, n8n 2.41 the stored one.
				workflowData: await this.workflow(workflowId),
				triggerToStartFrom: { name: trigger },
			},
		);
		return executionId;
	}

	/** A workflow's executions, up to 100, newest first. */
	async executions(workflowId: string): Promise<ExecutionSummary[]> {
		const filter = JSON.stringify({ workflowId });
		const { results } = await this.request<{ results: ExecutionSummary[] }>(
			'GET',
			'/executions',
			undefined,
			{ filter, limit: 100 },
		);
		return results;
	}

	/** An execution with the data of its nodes. */
	async execution(id: string): Promise<Execution> {
		const stored = await this.request<Omit<Execution, 'data'> & { data: string }>(
			'GET',
			`/executions/${id}`,
		);
		return { ...stored, data: parse(stored.data) as IRunExecutionData };
	}

	/** Waits up to a minute for an execution to end. */
	async finishedExecution(id: string): Promise<Execution> {
		return await until(`execution ${id} to end`, 60, async () => {
			const execution = await this.execution(id);
			// n8n 1.x reports the end before it has stored the data.
			const isOver = !['new', 'running', 'waiting'].includes(execution.status);
			return isOver && execution.data !== undefined && execution;
		});
	}

	/** Starts a manual run that waits for no test event, and waits for its end. */
	async runToEnd(workflowId: string, trigger: string): Promise<Execution> {
		return await this.finishedExecution((await this.run(workflowId, trigger)) ?? '');
	}

	/** All node types, tools among them, as the editor loads them. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		// The editor reads the node types from a file, not from the API.
		const { data } = await this.http.get<INodeTypeDescription[]>('/../types/nodes.json');
		return data;
	}

	/** @returns the choices of a node's `loadOptions` method */
	async loadOptions(node: NodeInEditor, methodName: string): Promise<Choice[]> {
		return await this.request('POST', '/dynamic-node-parameters/options', {
			...dynamicParameters(node),
			methodName,
		});
	}

	/** @returns the first page of a node's `listSearch` method */
	async listSearch(node: NodeInEditor, methodName: string): Promise<{ results: Choice[] }> {
		return await this.request('POST', '/dynamic-node-parameters/resource-locator-results', {
			...dynamicParameters(node),
			methodName,
		});
	}

	/**
	 * Creates a data table in the owner's personal project, unless it exists.
	 *
	 * @returns the table's id
	 */
	async createDataTable(name: string, columns: Column[]): Promise<string> {
		const tables = await this.tables();
		type Table = { id: string; name: string };
		const filter = JSON.stringify({ name });
		const { data } = await this.request<{ data: Table[] }>('GET', tables, undefined, { filter });
		const found = data.find((table) => table.name === name);
		return (found ?? (await this.request<Table>('POST', tables, { name, columns }))).id;
	}

	/** A data table's rows, up to 100. */
	async dataTableRows(id: string): Promise<IDataObject[]> {
		const { data } = await this.request<{ data: IDataObject[] }>(
			'GET',
			`${await this.tables()}/${id}/rows`,
			undefined,
			{ take: 100, sortBy: 'id:asc' },
		);
		return data;
	}

	/** @returns the path of the data tables in the owner's personal project */
	async tables(): Promise<string> {
		const { id } = await this.request<{ id: string }>('GET', '/projects/personal');
		return `/projects/${id}/data-tables`;
	}
}

function dynamicParameters({ type, parameters, credentials }: NodeInEditor): object {
	return {
		path: 'parameters',
		nodeTypeAndVersion: { name: type, version: 1 },
		currentNodeParameters: parameters,
		credentials,
	};
}

/** @returns the items at each output of a node in its last run */
export function outputsOf({ data }: Execution, node: string): INodeExecutionData[][] {
	const outputs = data.resultData.runData[node]?.at(-1)?.data?.main ?? [];
	return outputs.map((items) => items ?? []);
}

/** @returns the JSON of all items that a node output in its last run */
export function outputOf(execution: Execution, node: string): IDataObject[] {
	return outputsOf(execution, node).flatMap((items) => items.map(({ json }) => json));
}
