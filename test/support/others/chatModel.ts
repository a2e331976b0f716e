import fastify from 'fastify';

/** The fields of a message that scripts read. */
export interface Message {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content: string | null;
	/** Only in messages of the assistant. */
	tool_calls?: Array<{ id: string; function: { name: string } }>;
	/** Only in results of a tool. */
	tool_call_id?: string;
}

/** The model's next message: a text, or calls of tools. */
export type Turn = string | Array<{ tool: string; arguments: object }>;

/** A scripted chat model with OpenAI's interface. */
export type ChatModel = Awaited<ReturnType<typeof startChatModel>>;

/** Starts a scripted chat model on 127.0.0.1. */
export async function startChatModel() {
	const received: string[] = [];
	let calls = 0;
	const app = fastify({ forceCloseConnections: true, bodyLimit: 10_000_000 });
	app.post<{ Body: { model: string; messages: Message[] } }>('/v1/chat/completions', ({ body }) => {
		received.push(JSON.stringify(body));
		const turn = model.script(body.messages);
		const message =
			typeof turn === 'string'
				? { content: turn }
				: {
						content: null,
						tool_calls: turn.map(({ tool, arguments: given }) => ({
							id: `call_${++calls}`,
							type: 'function',
							function: { name: tool, arguments: JSON.stringify(given) },
						})),
					};
		return {
			id: `chatcmpl-${received.length}`,
			object: 'chat.completion',
			created: Math.floor(Date.now() / 1000),
			model: body.model,
			choices: [
				{
					index: 0,
					message: { role: 'assistant', ...message },
					finish_reason: typeof turn === 'string' ? 'stop' : 'tool_calls',
				},
			],
			usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
		};
	});
	const origin = await app.listen({ host: '127.0.0.1', port: 0 });
	const model = {
		/** The base URL for a credential. */
		url: `${origin}/v1`,
		/** The bodies of all requests, with the conversation and the tools' schemas. */
		received,
		/** Returns the model's next message of a conversation. */
		script: ((): Turn => 'No script is set.') as (messages: Message[]) => Turn,
		stop: () => app.close(),
	};
	return model;
}

/**
 * @param tool the node's name with `_` for blanks
 * @returns the results of a tool in a conversation, one for each call
 */
export function resultsOf(messages: Message[], tool: string): string[] {
	const ids = messages
		.flatMap(({ tool_calls }) => tool_calls ?? [])
		.filter((call) => call.function.name === tool)
		.map(({ id }) => id);
	return messages
		.filter(({ tool_call_id }) => tool_call_id && ids.includes(tool_call_id))
		.map(({ content }) => content ?? '');
}
