import type { Request, Response } from 'express';
import type { WorkflowExecuteMode } from 'n8n-workflow';

import type { NodeInWorkflow } from './core';

/** A request to a webhook URL. */
interface Sent {
	/** The callback token. */
	token: string;
	headers?: object;
	/** The JSON of the body. */
	text: string;
	/** Happens before n8n answers. */
	meanwhile?: () => Promise<void>;
}

/** Calls a node's webhook method, without a server. @returns what n8n answers, and the items, if any, that start the workflow */
export async function receiveRequest(
	node: NodeInWorkflow<object>,
	{ token, headers, text, meanwhile }: Sent,
	mode: WorkflowExecuteMode = 'webhook',
) {
	const whenAnswered: Array<() => void> = [];
	const response = {
		statusCode: 200,
		status: (code: number) => Object.assign(response, { statusCode: code }),
		json: () => response,
		once: (_event: string, listener: () => void) => whenAnswered.push(listener),
	};
	const request = {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		params: {},
		query: { voice_agent_token: token },
		rawBody: Buffer.from(text),
	};
	const result = await node.receive(
		request as unknown as Request,
		response as unknown as Response,
		mode,
	);
	await meanwhile?.();
	for (const listener of whenAnswered) listener();
	const items = result.workflowData?.[0] ?? [];
	return {
		status: response.statusCode,
		items,
		isStarted: items.length > 0,
		answer: result.webhookResponse as unknown,
	};
}
