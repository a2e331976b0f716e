import axios from 'axios';

/** Signs in to the sandbox's page. @returns the headers of the session */
export async function signIn(pageUrl: string): Promise<Record<string, string>> {
	const { data } = await axios.post<{ token: string; workspaceId: string }>(
		`${pageUrl}sandbox/session`,
	);
	return { authorization: `Bearer ${data.token}`, 'x-workspace-id': data.workspaceId };
}

/** @returns the JSON of the first state that an opened page receives */
export async function firstState(pageUrl: string): Promise<string> {
	const leaving = new AbortController();
	const { data } = await axios.get<AsyncIterable<Buffer>>(`${pageUrl}sandbox/states`, {
		responseType: 'stream',
		signal: leaving.signal,
		headers: await signIn(pageUrl),
	});
	let text = '';
	for await (const chunk of data) {
		text += chunk.toString();
		if (text.endsWith('\n\n')) break;
	}
	leaving.abort();
	return text.slice('data: '.length);
}
