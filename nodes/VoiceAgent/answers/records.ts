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
export function readCreatedEndpoint(body: unknown, url: string) {
	const candidates = recordsIn(body, 'webhooks').flatMap(({ record, isWhole }) => {
		const shown = record.url;
		if (typeof shown !== 'string' || !isSameAddress(shown, url)) return [];
		const isExact = new URL(shown).href === new URL(url).href;
		return { record, isWhole, confidence: Number(isWhole) * 2 + Number(isExact) };
	});
	const found = chooseFirst(candidates, (candidate) => candidate);
	const record = found?.record ?? readRecord(body, 'webhooks');
	if (!record) return undefined;
	const endpoint = endpointOf(record);
	return { ...endpoint, url: found?.isWhole ? endpoint.url : undefined, record };
}

/**
 * Finds the value of an API key that was just created: a text that begins like a key (contract,
 * section 2), else the field `key`.
 *
 * @returns its record, with the value as `key`; undefined for an answer without a value
 */
export function readApiKey(body: unknown): (IDataObject & { key: string }) | undefined {
	const key = readSecret(body, 'svc_live_', /^key$/);
	if (key === undefined) return undefined;
	const record = readRecord(body, 'apiKeys') ?? (isObject(body) ? body : {});
	const others = Object.entries(record).filter(([, value]) => value !== key);
	return { ...Object.fromEntries(others), key };
}

/** Reads the signing secret in the answer to the creation of an endpoint. */
export function readSigningSecret(body: unknown): string | undefined {
	return readSecret(body, 'whsec_', /(secret|signing[_-]?key)$/i);
}

/** Finds a secret: the longest text that begins like it and is no prefix or mask, else a field of its name. */
function readSecret(body: unknown, beginning: string, ownName: RegExp): string | undefined {
	const texts = [{ name: '', value: body }, ...fieldsIn(body, () => true)];
	const candidates = texts.flatMap(({ name, value }) => {
		if (typeof value !== 'string' || !value || looksMasked(value) || name === 'prefix') return [];
		const confidence = value.startsWith(beginning) ? value.length : 0;
		return confidence > 0 || ownName.test(name) ? [{ value, confidence }] : [];
	});
	return chooseFirst(candidates, ({ value }) => value) ?? undefined;
}

function endpointOf(record: Identified): Endpoint {
	const { id, url, events } = record;
	const has = (state: keyof typeof STATES) =>
		Object.entries(record).some(([name, value]) =>
			STATES[state].some(([field, values]) => field.test(name) && values.test(String(value))),
		);
	const isUnverified = has('isUnverified');
	return {
		id,
		url: typeof url === 'string' ? url : '',
		events: Array.isArray(events) ? readEventTypes(events).map(({ name }) => name) : undefined,
		// The service enables an unverified endpoint once it is verified.
		isDisabled: has('isDisabled') && !isUnverified,
		isRemoved: has('isRemoved'),
		isUnverified,
	};
}
