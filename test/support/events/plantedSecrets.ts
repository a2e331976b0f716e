import { ExecuteContext, HookContext, LoadOptionsContext, WebhookContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';

/*
 * Plants secrets in every text of a service, and searches every text that the nodes give out for them: outputs,
 * errors, logs, hints, lists, and what an AI agent gets.
 */

/** The planted secrets. A test replaces those of its own service. */
export const secrets: Record<string, string> = {
	'API key': 'svc_live_0123456789abcdefghijkl',
	'signing secret of the credential': 'whsec_MfKQ+9r8/GKYqrTwjUPD8ILPZIo2LaLaSw==',
	'signing secret of the webhook': 'whsec_Zm9yZWlnbi9zaWduaW5nL3NlY3JldA==',
	'callback token': 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_',
	'foreign bearer token': 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
};
/** What only an allow-list hides, from AI agents. */
export const UNMARKED = 'correct-horse-battery';
const found: string[] = [];
let searched = 0;
let logged: unknown[] = [];

/**
 * Searches the logs of each test of a file, and fails a test after which a secret was found.
 *
 * @param least the least number of texts
 */
export function useSearch(least: number): void {
	beforeEach(() => {
		logged = [];
		const log = (...texts: unknown[]) => void logged.push(texts);
		const logger = { debug: log, info: log, warn: log, error: log };
		for (const { prototype } of [ExecuteContext, HookContext, LoadOptionsContext, WebhookContext]) {
			jest.spyOn(prototype, 'logger', 'get').mockReturnValue(logger as never);
		}
	});
	afterEach(() => {
		search('logs', logged);
		jest.restoreAllMocks();
		expect(found.splice(0).slice(0, 5)).toEqual([]);
	});
	afterAll(() => {
		expect(searched).toBeGreaterThan(least);
	});
}

/** @returns all texts in a value, also the names of fields */
export function textsIn(value: unknown): string[] {
	if (value instanceof Error) {
		const { message, stack } = value;
		return [message, String(stack), ...textsIn(JSON.parse(JSON.stringify(value)))];
	}
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, field]) => [name, ...textsIn(field)]);
}

/** @param shown the names of the secrets that a person gets there */
export function search(kind: string, value: unknown, shown: string[] = []): void {
	const texts = textsIn(value);
	searched += texts.length;
	const wanted = { ...secrets, ...(kind.includes('agent') && { unmarked: UNMARKED }) };
	for (const [name, secret] of Object.entries(wanted)) {
		const forms = [secret, encodeURIComponent(secret), secret.replaceAll('/', '\\/')];
		const leak = texts.find((text) => forms.some((form) => text.includes(form)));
		if (leak && !shown.includes(name)) found.push(`${kind}: ${name} in ${leak.slice(0, 300)}`);
	}
}

/** A text with all secrets in it, as one of their spellings. */
export function planted(spell: (secret: string) => string = String): string {
	const [key, signing, own, token, bearer] = Object.values(secrets).map(spell);
	return `${key} ${signing}, ${own}; voice_agent_token=${token} Authorization: Bearer ${bearer}`;
}
export const callbackUrl = () =>
	`https://n8n.example.com/webhook/1/webhook?voice_agent_token=${secrets['callback token']}&apikey=${UNMARKED}`;
/** Fields of a record that hold secrets, in names and values, and at any depth. */
export const hiding = (): IDataObject => ({
	note: planted(),
	more: [{ inUrl: planted(encodeURIComponent), inJson: JSON.stringify({ text: planted() }) }],
	[`of ${secrets['API key']}`]: 1,
	request_headers: { authorization: `Bearer ${secrets['foreign bearer token']}` },
	password: UNMARKED,
	zorp: UNMARKED,
});
export const event = () => ({
	type: 'call.completed',
	data: { call_id: 'C1', outcome: `no ${secrets['API key']}`, ...hiding() },
});
