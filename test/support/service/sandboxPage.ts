import axios from 'axios';

/** Signs in to the sandbox's page. @returns the headers of the session */
export async function signIn(pageUrl: string): Promise<Record<string, string>> {
	const { data } = await axios.post<{ token: string; workspaceId: string }>(
		`${pageUrl}sandbox/session`,
	);
	return { authorization: `Bearer ${data.token}`, 'x-workspace-id': data.workspaceId };
}

/** @returns the JSON of the state that the page shows */
export async function shownState(pageUrl: string): Promise<string> {
	const headers = await signIn(pageUrl);
	const { data } = await axios.get<string>(`${pageUrl}sandbox/state`, {
		headers,
		responseType: 'text',
	});
	return data;
}
