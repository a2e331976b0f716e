import type { IDataObject } from 'n8n-workflow';

import { isSameAddress } from '../api/callbackUrl';
import { readEventTypes } from './catalog';
import { chooseFirst } from '../matcher/choose';
import { fieldsIn } from '../matcher/bodyFields';
import { isObject } from '../matcher/json';
import { readRecord, recordsIn, type Identified } from './lists';
import { looksMasked } from '../api/secrets';

/* Endpoints and API keys in the service's answers (contract, section 2). */

/** An endpoint as the service's answer shows it. */
export interface Endpoint {
	id: string;
	/** Empty for a hidden URL. The query may be masked or missing. */
	url: string;
	/** The subscribed event types; undefined for a hidden subscription. */
	events?: string[];
	/** Whether the service states that it delivers nothing. */
	isDisabled: boolean;
	/** Whether the service states that it is removed, though still listed. */
	isRemoved: boolean;
	/** Whether the service states that the URL waits for verification. */
	isUnverified: boolean;
}

/** The fields of each state by their names, with their values as text. */
const STATES: Record<'isDisabled' | 'isRemoved' | 'isUnverified', Array<[RegExp, RegExp]>> = {
	isDisabled: [
		[/^(is_?)?(enabled|active)$/i, /^false$/],
		[/^(is_?)?disabled$/i, /^true$/],
		[/^(status|state)$/i, /^(deleting|disabled|inactive|paused|suspended)$/i],
	],
	isRemoved: [
		[/^(is_?)?(archived|deleted|removed)$/i, /^true$/],
		[/^(deleted|removed)_?(at|on)$/i, /^(?!(null|false|0)?$)/],
		[/^(status|state)$/i, /^(archived|deleted|removed|revoked)$/i],
	],
	isUnverified: [
		[/^(is_?)?(verified|confirmed)$/i, /^false$/],
		[/^(verified|confirmed)_?(at|on)$/i, /^(null|false)?$/],
		[/^(pending|needs|requires)_?(verification|confirmation)$/i, /^true$/],
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
export function readCreatedEndpoint(
	body: unknown,
	url: string,
): (Omit<Endpoint, 'url' | 'isRemoved'> & { url?: string; record: IDataObject }) | undefined {
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
 * Finds the value of an API key that was just created: a text that begins like a key (contract,
 * section 2) and is no prefix or mask, else the field `key`.
 *
 * @returns its record, with the value as `key`; undefined for an answer without a value
 */
export function readApiKey(body: unknown): (IDataObject & { key: string }) | undefined {
	const texts = textsIn(body);
	const prefixes = texts.flatMap(({ name, value }) => (name === 'prefix' ? value : []));
	const candidates = texts.flatMap(({ name, value }) => {
		const isKey = value.startsWith('svc_live_') && !prefixes.includes(value);
		return isKey || name === 'key' ? { value, confidence: isKey ? value.length : 0 } : [];
	});
	const key = chooseFirst(candidates, ({ value }) => value);
	if (key === null) return undefined;
	const record = readRecord(body, 'apiKeys') ?? (isObject(body) ? body : {});
	const others = Object.entries(record).filter(([, value]) => value !== key);
	return { ...Object.fromEntries(others), key };
}

/** Reads the signing secret in the answer to the creation of an endpoint. */
export function readSigningSecret(body: unknown): string | undefined {
	const candidates = textsIn(body).flatMap(({ name, value }) => {
		const isMarked = value.startsWith('whsec_');
		const isNamed = /(secret|signing[_-]?key)$/i.test(name);
		return isMarked || isNamed ? { value, confidence: Number(isMarked) } : [];
	});
	return chooseFirst(candidates, ({ value }) => value) ?? undefined;
}

function endpointOf(record: Identified): Endpoint {
	const has = (state: keyof typeof STATES) =>
		Object.entries(record).some(([name, value]) =>
			STATES[state].some(([field, values]) => field.test(name) && values.test(String(value))),
		);
	const url = typeof record.url === 'string' ? record.url : '';
	const events = Array.isArray(record.events)
		? readEventTypes(record.events).map(({ name }) => name)
		: undefined;
	return {
		id: record.id,
		url,
		events,
		// The service enables an unverified endpoint once it is verified.
		isDisabled: has('isDisabled') && !has('isUnverified'),
		isRemoved: has('isRemoved'),
		isUnverified: has('isUnverified'),
	};
}

/** The texts of an answer, with the body itself, without empty texts and masks. */
function textsIn(body: unknown): Array<{ name: string; value: string }> {
	return [{ name: '', value: body }, ...fieldsIn(body, () => true)].flatMap(({ name, value }) =>
		typeof value === 'string' && value && !looksMasked(value) ? [{ name, value }] : [],
	);
}
