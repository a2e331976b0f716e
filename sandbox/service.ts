import { randomBytes, randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { defaultDialect, type Dialect } from './dialects';
import { addApi } from './service/api';
import { acceptJsonBodies } from './service/bodies';
import { type Attempt, Deliveries } from './service/deliveries';
import { Endpoints } from './service/endpoints';
import { createEvent, defaultCatalog, type EventType } from './service/events';
import { type ApiKey, Keys, type Scope } from './service/keys';
import { addPage } from './service/pageApi';
import { type FaultChooser, recordRequests, type RequestRecord } from './service/requests';
import { Sessions } from './service/sessions';
import { emitEvent, type Quota, type Workspace } from './service/workspace';

/** The options of a sandbox; all have defaults. */
export interface SandboxOptions {
	/** The axes on which it differs from the assumed dialect. */
	dialect?: Partial<Dialect>;
	/** The catalog, in place of the ten usual event types. */
	catalog?: readonly EventType[];
	/** The number of entries on a page of a list, if the dialect has pages; 50 by default. */
	pageSize?: number;
	/** The time (ms) until the list shows a created or removed endpoint; 0 by default. */
	lagMs?: number;
	/** The factor for the waits of the retry schedule `backoff`; 1 by default. */
	retryScale?: number;
	/** A certificate authority (PEM) that deliveries trust beside the public ones. */
	ca?: string;
	/** Is called with a line for each answered request. The lines hold no secrets. */
	log?: (line: string) => void;
}

/** A running stand-in for the voice-agent service, with one workspace. */
export interface Sandbox extends AsyncDisposable {
	/** The address of the API, which ends in `/v1`. */
	readonly baseUrl: string;
	/** The address of the sandbox's page. */
	readonly pageUrl: string;
	/** A key with the scope `workspace:admin`. */
	readonly adminKey: string;
	/** The fields of n8n's credential for it. */
	readonly credential: { baseUrl: string; apiKey: string };
	/** The workspace's secret of the plain HMAC dialects. */
	readonly signingSecret: string;
	readonly dialect: Dialect;
	/** The recent requests to the API, oldest first. */
	readonly requests: readonly RequestRecord[];
	/** Set it to make requests to the API fail. */
	fault: FaultChooser | undefined;
	/** Limits the number of endpoints; undefined, the initial value, is no limit. */
	setQuota(quota: Quota | undefined): void;
	/** The page's link to the workflow that receives the events; undefined, the initial value, is no link. */
	setEditorUrl(url: string | undefined): void;
	/** Creates a key, and returns its full value. */
	createKey(name: string, scopes?: Scope[]): string;
	keys(): ApiKey[];
	/** The endpoints as really stored, whatever the dialect lists; oldest first. */
	endpoints(): Array<{ id: string; url: string; events: string[] | undefined }>;
	/** The signing secret of an endpoint, and when it was created (ms since 1970). */
	detailsOf(id: string): { secret: string; createdAt: number } | undefined;
	/** Adds an endpoint without a check, as in a dashboard of the service; returns its id. */
	addEndpoint(endpoint: { url: string; events?: string[] }): string;
	/** Removes an endpoint, as in a dashboard; returns false for an unknown id. */
	removeEndpoint(id: string): boolean;
	/** Changes an endpoint's URL, as in a dashboard. */
	moveEndpoint(id: string, url: string): void;
	/**
	 * Stops deliveries to an endpoint, as a service may do after many failures.
	 *
	 * @param shown the fields that the endpoint's record then has
	 */
	disableEndpoint(id: string, shown: object): void;
	/**
	 * Creates an event, and delivers it in the background to all endpoints subscribed to it.
	 *
	 * @param data the event's `data`; without it, a plausible sample's
	 * @returns the event's id, and those of its deliveries (their header `x-delivery-id`)
	 */
	emit(type: string, data?: object): { id: string; deliveries: string[] };
	/**
	 * Delivers an event to one endpoint, once, whatever its event types.
	 *
	 * @returns resolves when the attempt is over
	 */
	deliver(endpointId: string, type: string, data: object): Promise<void>;
	/** The recent attempts at an endpoint, also at a removed one; newest first. */
	deliveriesOf(endpointId: string): Attempt[];
	/** Resolves when no delivery is under way or waiting for its next attempt. */
	settled(): Promise<void>;
	/** Stops at once, and aborts open requests, deliveries and retries. */
	stop(): Promise<void>;
}

/** Validates the bodies of all sandboxes of this process. To make one takes 16 of the 25 ms of a start. */
let validatorCompiler: FastifyInstance['validatorCompiler'];

/** Starts a sandbox on 127.0.0.1; it keeps everything in memory. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const dialect = { ...defaultDialect, ...options.dialect };
	const signingSecret = randomBytes(32).toString('base64url');
	const catalog = options.catalog ?? defaultCatalog;
	const workspace: Workspace = {
		id: randomUUID(),
		dialect,
		pageSize: options.pageSize ?? 50,
		catalog,
		keys: new Keys(),
		endpoints: new Endpoints(options.lagMs ?? 0),
		sessions: new Sessions(),
		deliveries: new Deliveries({
			dialect,
			signingSecret,
			retryScale: options.retryScale ?? 1,
			ca: options.ca,
		}),
	};
	const { keys, endpoints, deliveries } = workspace;
	const requests: RequestRecord[] = [];
	const stopping = new AbortController();

	const app = fastify({
		forceCloseConnections: true,
		ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
	});
	if (validatorCompiler) app.setValidatorCompiler(validatorCompiler);
	acceptJsonBodies(app);
	await app.register(
		(api, _options, done) => {
			const chooseFault: FaultChooser = (request) => sandbox.fault?.(request);
			recordRequests(api, requests, chooseFault, options.log ?? (() => {}), stopping.signal);
			addApi(api, workspace);
			api.addHook('onReady', (ready) => {
				validatorCompiler ??= api.validatorCompiler;
				ready();
			});
			done();
		},
		{ prefix: '/v1' },
	);
	addPage(app, workspace);
	const origin = await app.listen({ host: '127.0.0.1', port: 0 });

	const baseUrl = `${origin}/v1`;
	const { key: adminKey } = keys.create('Sandbox administrator', ['workspace:admin']);
	const sandbox: Sandbox = {
		...{ baseUrl, adminKey, credential: { baseUrl, apiKey: adminKey } },
		pageUrl: `${origin}/`,
		signingSecret,
		dialect,
		requests,
		fault: undefined,
		setQuota: (quota) => void (workspace.quota = quota),
		setEditorUrl: (url) => void (workspace.editorUrl = url),
		createKey: (name, scopes) => keys.create(name, scopes).key,
		keys: () => keys.list(),
		endpoints: () => endpoints.list().map(({ id, url, events }) => ({ id, url, events })),
		detailsOf: (id) => endpoints.get(id),
		addEndpoint(wanted) {
			const endpoint = endpoints.make(wanted);
			endpoints.add(endpoint);
			return endpoint.id;
		},
		removeEndpoint: (id) => endpoints.remove(id),
		moveEndpoint(id, url) {
			const endpoint = endpoints.get(id);
			if (endpoint) endpoint.url = url;
		},
		disableEndpoint(id, shown) {
			const endpoint = endpoints.get(id);
			if (endpoint) endpoint.disabled = shown;
		},
		emit: (type, data) => emitEvent(workspace, type, data),
		async deliver(endpointId, type, data) {
			const endpoint = endpoints.get(endpointId);
			if (endpoint) await deliveries.sendOnce(createEvent(type, data), endpoint).done;
		},
		deliveriesOf: (endpointId) => deliveries.attemptsAt(endpointId),
		settled: () => deliveries.settled(),
		async stop() {
			stopping.abort();
			await Promise.all([app.close(), deliveries.stop()]);
		},
		[Symbol.asyncDispose]: () => sandbox.stop(),
	};
	return sandbox;
}

export type { Attempt, FaultChooser, RequestRecord };
export type { Fault } from './service/requests';
