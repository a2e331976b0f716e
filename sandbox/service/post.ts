import { Agent } from 'node:https';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import axios, { isAxiosError } from 'axios';

/** One request to an endpoint's URL. */
export interface SentRequest {
	headers: Record<string, string>;
	/** The exact bytes to send. */
	body: string;
}

/** How a request ended. */
export interface PostResult {
	response_status: number | null;
	/** Its first characters. */
	response_body: string | null;
	/** Why there was no answer. */
	error: string | null;
}

/** The longest wait for an answer. */
const answerWithinMs = 10_000;
const bodyCharactersKept = 200;
const bodyBytesRead = 1_000_000;

const secureContexts = new Map<string, SecureContext>();

/** Trusts an authority beside the public ones. Reading the public ones takes 50 ms, so each context is made once. */
function trusting(ca: string): SecureContext {
	const known = secureContexts.get(ca) ?? createSecureContext({ ca: [...rootCertificates, ca] });
	secureContexts.set(ca, known);
	return known;
}

/** @param ca a certificate authority (PEM) to trust beside the public ones */
export function makeAgent(ca?: string): Agent {
	return new Agent({ keepAlive: true, ...(ca && { secureContext: trusting(ca) }) });
}

/** Sends a request to an endpoint's URL. Never throws: a failure is in the result's `error`. */
export async function post(
	url: string,
	{ headers, body }: SentRequest,
	httpsAgent: Agent,
	stopping: AbortSignal,
): Promise<PostResult> {
	const timeUp = AbortSignal.timeout(answerWithinMs);
	try {
		// A buffer, so that axios sends the very bytes that were signed.
		const response = await axios.post<string>(url, Buffer.from(body), {
			headers,
			httpsAgent,
			proxy: false,
			maxRedirects: 0,
			maxContentLength: bodyBytesRead,
			responseType: 'text',
			validateStatus: () => true,
			signal: AbortSignal.any([timeUp, stopping]),
		});
		const response_body = response.data.slice(0, bodyCharactersKept);
		return { response_status: response.status, response_body, error: null };
	} catch (error) {
		const reason = timeUp.aborted ? `no answer within ${answerWithinMs / 1000} s` : why(error);
		return { response_status: null, response_body: null, error: reason };
	}
}

function why(error: unknown): string {
	if (isAxiosError(error)) return error.message || (error.code ?? 'no connection');
	return error instanceof Error ? error.message : String(error);
}
