import { workflowIdOf } from '../api/callbackUrl';
import type { Item } from './operation';

/**
 * Finds the workflow of a trigger's endpoint.
 *
 * @param url of the endpoint as the service shows it
 * @returns its address in this n8n's editor; null for an endpoint of another n8n or receiver, and for a URL
 *   that does not name its workflow
 */
export function workflowUrlOf({ context }: Item, url: unknown): string | null {
	const shown = String(url);
	const id = workflowIdOf(shown);
	// n8n's address for its REST API is at the base of its webhook URLs, unlike the editor's.
	const base = new URL('.', context.getRestApiUrl()).href;
	if (!id || !new URL(shown).href.startsWith(base)) return null;
	return new URL(`workflow/${id}`, context.getInstanceBaseUrl()).href;
}
