import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';

import express, { type Request, type Response } from 'express';
import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';

import { makeCertificate, type Certificate } from '../../../sandbox/stack/certificates';
import { readRawBody } from './bodies';
import type { NodeInWorkflow } from './core';

/**
 * The public HTTPS server of n8n: calls the node with the request's webhook URL, and responds as n8n
 * does.
 */
export class Receiver {
	/** The response to each request, and the items that started the workflow. */
	readonly received: Array<{ status: number; items: IDataObject[] }> = [];

	/** Runs the workflow before the answer, and returns the answer's status; without it, the answer is 200. */
	run?: (response: Response) => Promise<number>;

	private readonly routes = new Map<
		string,
		{ node: Pick<NodeInWorkflow<object>, 'receive'>; mode: WorkflowExecuteMode }
	>();

	private constructor(
		private readonly server: Server,
		readonly certificate: Certificate,
	) {}

	static async start(): Promise<Receiver> {
		const certificate = await makeCertificate();
		const app = express();
		const server = createServer({ key: certificate.key, cert: certificate.cert }, app);
		// A request on an idle connection would fail if the server closed the connection meanwhile.
		server.keepAliveTimeout = 0;
		const receiver = new Receiver(server, certificate);
		app.use((request, response, next) => {
			Object.assign(request, { readRawBody: () => readRawBody(request, response) });
			next();
		});
		for (const method of ['get', 'post'] as const) {
			app[method]('/*path', (request, response, next) => {
				receiver.handle(request, response).catch(next);
			});
		}
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return receiver;
	}

	/** n8n's address for the nodes behind this receiver. */
	get base(): string {
		return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
	}

	/** Opens the route of a published trigger, or with the mode `manual` of a test listener. */
	open(
		node: Pick<NodeInWorkflow<object>, 'receive' | 'webhookUrl'>,
		mode: WorkflowExecuteMode = 'webhook',
	): void {
		this.routes.set(new URL(node.webhookUrl(mode === 'manual')).pathname, { node, mode });
	}

	/** Runs a step without any route. */
	async whileClosed(step: () => Promise<void>): Promise<void> {
		const routes = [...this.routes];
		this.close();
		await step();
		for (const [path, route] of routes) this.routes.set(path, route);
	}

	/** Closes all routes. */
	close(): void {
		this.routes.clear();
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async handle(request: Request, response: Response): Promise<void> {
		const route = this.routes.get(request.path);
		if (!route) {
			response.status(404).json({ message: 'The requested webhook is not registered' });
			return;
		}
		const result = await route.node.receive(request, response, route.mode);
		const items = (result.workflowData?.[0] ?? []).map(({ json }) => json);
		if (!result.noWebhookResponse) {
			const status = result.workflowData ? await this.run?.(response) : undefined;
			response.status(status ?? 200).json(result.webhookResponse ?? '');
		}
		this.received.push({ status: response.statusCode, items });
	}
}
