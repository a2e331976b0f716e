import type { IDataObject } from 'n8n-workflow';

import { isSameAddress } from '../auth/token';
import { readEventTypes } from './catalog';
import { chooseFirst } from '../text/topics';
import { fieldsIn, isObject } from '../text/json';
import { readRecord, recordsIn, type Identified } from './lists';

/* Endpoints and API keys in the service's answers (docs/the-service.md). */

/** An endpoint as the service's answer shows it. */
export type Endpoint = ReturnType<typeof endpointOf>;

type State = 'isDisabled' | 'wasDisabled' | 'isStated' | 'isRemoved' | 'isUnverified';

/** The fields of each state by their names, with their values as text. */
const STATES: Record<State, Array<[RegExp, RegExp]>> = {
	isDisabled: [
		[/^(is_?)?(enabled|active)$/i, /^(false|0)$/],
		[/^(is_?)?(disabled|paused|suspended)$/i, /^true$/],
		[
			/^(status|state)$/i,
			/^(auto[ _-]?)?(blocked|deleting|(disabl|deactivat|paus|suspend)ed|inactive|off|stopped)$/i,
		],
	],
	wasDisabled: [[/^(disabled|deactivated|paused|suspended)_?(at|on)$/i, /^(20\d\d-|[12]\d{9})/]],
	isStated: [
		[/^(is_?)?(enabled|active|disabled|paused|suspended)$|^(status|state)$/i, /^(?!null$)/],
		[/^enabled_?(at|on)$/i, /\d/],
	],
	isRemoved: [
		[/^(is_?)?(archived|deleted|removed)$/i, /^true$/],
		[/^(deleted|removed)_?(at|on)$/i, /^(?!(null|false|0)?$)/],
		[/^(status|state)$/i, /^(archived|deleted|removed|revoked)$/i],
	],
	isUnverified: [
		[/^(is_?)?(verified|confirmed)$/i, /^false$/],
		[/(status|state)$/i, /pending|awaiting|waiting|unverified|unconfirmed|verification|verifying/i],
	],
};

/** Reads an entry of the list of endpoints. */
export function readEndpoint(entry: unknown): Endpoint | undefined {
	const record = readRecord(entry, 'webhooks');
	return record && endpointOf(record);
}

/**
 * Finds the endpoint that was just created: the record whose `url` is the sent one.
 *
 * @param url the sent URL
 * @returns the endpoint, without a URL if the answer does not tie the URL to the id, so that the list
 *   has to confirm it; undefined for an answer without an id
 */
export function readCreatedEndpoint(body: unknown, url: string) {
	const candidates = recordsIn(body, 'webhooks').flatMap((one) => {
		const shown = one.record.url;
		if (typeof shown !== 'string' || !isSameAddress(shown, url)) return [];
		const isExact = new URL(shown).href === new URL(url).href;
		return { ...one, confidence: Number(one.isWhole) * 2 + Number(isExact) };
	});
	const found = chooseFirst(candidates, (one) => one);
	const record = found?.record ?? readRecord(body, 'webhooks');
	if (!record) return undefined;
	const { url: shown, ...endpoint } = endpointOf(record);
	return { ...endpoint, url: found?.isWhole ? shown : undefined, record };
}

/**
 * Finds the value of an API key that was just created: the longest text that begins like a key (docs/the-service.md)
 * and is no prefix or mask.
 *
 * @returns its record, with the value as `key`; undefined for an answer without a value
 */
export function readApiKey(body: unknown): (IDataObject & { key: string }) | undefined {
	const texts = textsIn(body);
	const prefixes = texts.flatMap(({ name, value }) => (name === 'prefix' ? value : []));
	const [key] = texts
		.map(({ value }) => value)
		.filter((value) => /^svc_live_\S+$/.test(value) && !prefixes.includes(value))
		.sort((one, other) => other.length - one.length);
	if (key === undefined) return undefined;
	const record = readRecord(body, 'apiKeys') ?? (isObject(body) ? body : {});
	const others = Object.entries(record).filter(([, value]) => value !== key);
	return { ...Object.fromEntries(others), key };
}

/** `webhook_secret.value`, `secrets.0`, `signing.key`, `secret_key` */
const SECRET_PATH = /(secrets?|signing[._-]?key)([._-]?(key|value|\d+))?$/i;
/** Shorter texts are markers, prefixes or hints of secrets. */
const SHORTEST_SECRET = 16;

/**
 * Reads the signing secret in the answer to the creation of an endpoint: a text that begins with `whsec_`, else a
 * field with a name for it; of several, the longest.
 *
 * `{ secret_prefix: 'whsec_', secret: 'c2lnbmluZyBzZWNyZXQ' }` → `c2lnbmluZyBzZWNyZXQ`
 */
export function readSigningSecret(body: unknown): string | undefined {
	const texts = textsIn(body)
		.filter(({ value }) => value.length >= SHORTEST_SECRET)
		.toSorted((one, other) => other.value.length - one.value.length);
	const marked = texts.find(({ value }) => value.startsWith('whsec_'));
	const named = texts.find(({ name }) => /(secret|signing[_-]?key)$/i.test(name));
	return (marked ?? named ?? texts.find(({ path }) => SECRET_PATH.test(path)))?.value;
}

function endpointOf({ id, url, events, ...others }: Identified) {
	const has = (state: State) =>
		Object.entries(others).some(([name, value]) =>
			STATES[state].some(([field, values]) => field.test(name) && values.test(String(value))),
		);
	// A service may keep the time after it has enabled the endpoint again.
	const isDisabled = has('isDisabled') || (has('wasDisabled') && !has('isStated'));
	return {
		id,
		/** Empty for a hidden URL. The query may be masked or missing. */
		url: typeof url === 'string' ? url : '',
		/** The subscribed event types; undefined for a hidden subscription. */
		events: Array.isArray(events) ? readEventTypes(events).map(({ name }) => name) : undefined,
		/** Whether the service states that it delivers nothing. It enables an unverified endpoint once it is verified. */
		isDisabled: isDisabled && !has('isUnverified'),
		/** Whether the service states that it is removed, though still listed. */
		isRemoved: has('isRemoved'),
		/** Whether the service states that the URL waits for verification. */
		isUnverified: has('isUnverified'),
	};
}

/** The texts of an answer, with the body itself, without empty texts and masks. */
function textsIn(body: unknown) {
	return fieldsIn({ '': body }, () => true).flatMap(({ name, keys, value }) =>
		typeof value === 'string' && value && !looksMasked(value)
			? [{ name, path: keys.join('.'), value }]
			: [],
	);
}

/**
 * @returns true for a text in place of a secret: `whsec_****`, `••••1234`, `[REDACTED]`, but not for
 *   `whsec_MfKQ9r8GKYqr`
 */
export function looksMasked(text: string): boolean {
	return (
		/^(.?)\1*$/su.test(text) ||
		/\*{3}|\.{3}|[…•●∙·]|x{6}|X{6}|x{4}$|X{4}$|(.)\1{7}/u.test(text) ||
		/^[[(<{].*[\])>}]$|redacted|hidden|masked|filtered/is.test(text)
	);
}
