export interface TestRequest {
	method?: string;
	/** Without the question mark. */
	query: string;
	headers?: Record<string, string>;
	body?: string | Buffer;
	/** The client closes the connection after this time, if no answer came. */
	hangUpAfterMs?: number;
}

export interface Answer {
	/** The HTTP status; `none` if the connection closes before. */
	status: number | 'none';
	body: string;
}

const TIMEOUT_MS = 30_000;

/** @returns the answer, also if the connection fails */
export async function sendRequest(
	address: string,
	{ method = 'POST', query, headers, body, hangUpAfterMs = TIMEOUT_MS }: TestRequest,
): Promise<Answer> {
	const signal = AbortSignal.timeout(hangUpAfterMs);
	try {
		const answer = await fetch(`${address}?${query}`, { method, headers, body, signal });
		return { status: answer.status, body: await answer.text() };
	} catch {
		return { status: 'none', body: '' };
	}
}
