import type { IDataObject } from 'n8n-workflow';

import { isSameAddress } from '../api/callbackUrl';
import { readEventType } from './catalog';
import { fieldsIn, isObject } from '../matcher/fields';
import { readRecord, recordsIn, type Identified } from './lists';
import { looksMasked } from '../api/secrets';

/* What the connector needs of endpoints and API keys (contract, section 2). */

/** An endpoint as far as the connector needs it. */
export interface Endpoint {
	id: string;
	/** As the list shows it: its query may be masked or gone. Empty where it shows none. */
	url: string;
	/** The subscription as the list shows it; undefined where it shows none. */
	events?: string[];
	/** Whether the service says itself that it delivers nothing to it. */
	isDisabled: boolean;
	/** Whether the service says itself that it is removed, and only goes on listing it. */
	isRemoved: boolean;
	/** Whether the service says itself that it waits for the verification of the URL. */
	isUnverified: boolean;
}

/** How services say such things: by the names of fields, and by their values as text. */
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
 * Finds the endpoint that was just created: the record whose `url` is the one that was sent.
 *
 * @param url as it was sent
 * @returns its id and its URL as it is shown; no URL where the answer does not tie it to the id for
 *   sure, so that the list has to confirm it; undefined where nothing has an id
 */
export function readCreatedEndpoint(
	body: unknown,
	url: string,
): (Omit<Endpoint, 'url' | 'isRemoved'> & { url?: string; record: IDataObject }) | undefined {
	const likenessOf = (shown: unknown, isWhole: boolean) =>
		typeof shown === 'string' && isSameAddress(shown, url)
			? 1 + Number(isWhole) * 2 + Number(new URL(shown).href === new URL(url).href)
			: 0;
	const [found] = recordsIn(body, 'webhooks')
		.map((one) => ({ ...one, likeness: likenessOf(one.record.url, one.isWhole) }))
		.filter(({ likeness }) => likeness > 0)
		.sort((one, other) => other.likeness - one.likeness);
	const record = found?.record ?? readRecord(body, 'webhooks');
	if (!record) return undefined;
	const isSure = found?.isWhole || found?.isOnly;
	const { url: shown, ...endpoint } = endpointOf(record);
	return { ...endpoint, url: isSure ? shown : undefined, record };
}

/**
 * Finds the value of an API key that was just created: what begins like one (contract, section 2) and
 * is no prefix or mask of it, else what is called `key`.
 *
 * @returns its record, with the value as `key` wherever it stood; undefined where there is no value
 */
export function readApiKey(body: unknown): (IDataObject & { key: string }) | undefined {
	const texts = textsIn(body);
	const prefixes = texts.flatMap(({ name, value }) => (name === 'prefix' ? value : []));
	const [key] = texts
		.filter(({ value }) => value.startsWith('svc_live_') && !prefixes.includes(value))
		.sort((one, other) => other.value.length - one.value.length)
		.concat(texts.filter(({ name }) => name === 'key'));
	if (!key) return undefined;
	const record = readRecord(body, 'apiKeys') ?? (isObject(body) ? body : {});
	const others = Object.entries(record).filter(([, value]) => value !== key.value);
	return { ...Object.fromEntries(others), key: key.value };
}

/** Reads the signing secret that creating an endpoint may return, wherever it stands. */
export function readSigningSecret(body: unknown): string | undefined {
	const secrets = textsIn(body)
		.filter(
			({ name, value }) => /(secret|signing[_-]?key)$/i.test(name) || value.startsWith('whsec_'),
		)
		.map(({ value }) => value);
	return secrets.find((secret) => secret.startsWith('whsec_')) ?? secrets[0];
}

function endpointOf(record: Identified): Endpoint {
	const says = (state: keyof typeof STATES) =>
		Object.entries(record).some(([name, value]) =>
			STATES[state].some(([field, values]) => field.test(name) && values.test(String(value))),
		);
	const url = typeof record.url === 'string' ? record.url : '';
	const events = Array.isArray(record.events)
		? record.events.flatMap((event) => readEventType(event)?.name ?? [])
		: undefined;
	return {
		id: record.id,
		url,
		events,
		// What waits for verification is enabled by it.
		isDisabled: says('isDisabled') && !says('isUnverified'),
		isRemoved: says('isRemoved'),
		isUnverified: says('isUnverified'),
	};
}

/** All texts of an answer, the body itself included, but for empty ones and masks. */
function textsIn(body: unknown): Array<{ name: string; value: string }> {
	return [{ name: '', value: body }, ...fieldsIn(body, () => true)].flatMap(({ name, value }) =>
		typeof value === 'string' && value && !looksMasked(value) ? [{ name, value }] : [],
	);
}
