/* global fetch */

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
