import type { Request, Response } from 'express';
import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';

import type { NodeInWorkflow } from '../n8nCore';
import type { SentDelivery } from './deliveries';

/** What became of a delivery: the answer, and the items that a run started with. */
export interface Outcome {
	status: number;
	body: string;
	items: IDataObject[];
}

/**
 * Hands a delivery to a trigger's webhook method, and answers it as n8n does.
 *
 * @throws an Error where the node leaves the request without an answer
 */
export async function receive(
	node: NodeInWorkflow,
	address: string,
	{ headers, text }: SentDelivery,
	mode: WorkflowExecuteMode,
): Promise<Outcome> {
	const url = new URL(address);
	const answer = new FakeResponse();
	const request = {
		method: 'POST',
		headers: { host: url.host, 'content-length': String(Buffer.byteLength(text)), ...headers },
		params: {},
		path: url.pathname,
		query: Object.fromEntries(url.searchParams),
		rawBody: undefined as Buffer | undefined,
		readRawBody() {
			request.rawBody = Buffer.from(text);
		},
	};
	const result = await node.receive(
		request as unknown as Request,
		answer as unknown as Response,
		mode,
	);
	const items = (result.workflowData ?? []).flatMap((output) => output.map((item) => item.json));
	if (result.noWebhookResponse) {
		if (!answer.isEnded) throw new Error('A delivery is left without an answer');
		return { status: answer.statusCode, body: answer.body, items };
	}
	const response: unknown = result.webhookResponse ?? {};
	const body = typeof response === 'string' ? response : JSON.stringify(response);
	return { status: 200, body, items };
}

/** As much of a response as a node may use. */
class FakeResponse {
	statusCode = 200;

	body = '';

	isEnded = false;

	headersSent = false;

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	setHeader(): this {
		return this;
	}

	json(value: unknown): this {
		return this.end(JSON.stringify(value));
	}

	send(value: unknown): this {
		return this.end(typeof value === 'string' ? value : JSON.stringify(value));
	}

	end(text: string = ''): this {
		this.body = text;
		this.isEnded = true;
		this.headersSent = true;
		return this;
	}
}
