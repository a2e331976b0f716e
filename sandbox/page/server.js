/* global AbortSignal, TextDecoderStream, fetch, setTimeout */

// The page's requests to the server. A session has a short-lived token and the workspace's id, as the
// contract demands of browsers.

const secondsOfGrace = 30;

let session = { validUntil: 0 };

async function sessionHeaders() {
	if (Date.now() > session.validUntil) {
		const response = await fetch('/sandbox/session', { method: 'POST' });
		if (!response.ok) throw new Error('The sandbox lets in browsers of its own computer only');
		const { token, workspaceId, expiresInSeconds } = await response.json();
		session = {
			headers: { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId },
			validUntil: Date.now() + (expiresInSeconds - secondsOfGrace) * 1000,
		};
	}
	return session.headers;
}

/** Sends a request, and returns its answer; throws an Error with a message for people. */
export async function send(method, path, body) {
	const headers = { ...(await sessionHeaders()) };
	if (body) headers['content-type'] = 'application/json';
	const response = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
	const text = await response.text();
	const answer = text && JSON.parse(text);
	if (!response.ok) throw new Error(answer.message ?? `The sandbox answered ${response.status}`);
	return answer;
}

/**
 * Shows the states that the server streams, without end. Signs in again when the session ends, and
 * connects again when the sandbox was stopped.
 *
 * @param show is called with each state
 * @param showConnection is called with whether there is a connection, when it opens or breaks
 */
export async function readStates(show, showConnection) {
	for (;;) {
		try {
			await readUntilItEnds(show, showConnection);
		} catch (error) {
			if (error.name === 'TimeoutError') continue;
			showConnection(false);
			await new Promise((resolve) => setTimeout(resolve, 1000));
		}
	}
}

/** Throws a TimeoutError once the session is about to end. */
async function readUntilItEnds(show, showConnection) {
	const headers = await sessionHeaders();
	const signal = AbortSignal.timeout(session.validUntil - Date.now());
	const response = await fetch('/sandbox/states', { headers, signal });
	if (!response.ok) {
		session = { validUntil: 0 };
		throw new Error(`The sandbox answered ${response.status}`);
	}
	showConnection(true);
	let text = '';
	for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
		const events = (text + chunk).split('\n\n');
		text = events.pop();
		const newest = events.at(-1);
		if (newest) show(JSON.parse(newest.slice('data: '.length)));
	}
	throw new Error('The sandbox has stopped');
}
