import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { requestEndpoints } from '../lists/requestList';
import { excerptOf } from '../text/words';
import { readPastedSecret } from '../delivery/sender';
import { readCredential } from '../service/credential';
import type { Context } from '../service/request';
import { lifecycleDeadline } from '../service/retry';
import { hideAllSecrets } from '../service/secrets';
import type { DetailKey } from '../callDetails/details';
import { rankFields } from '../callDetails/fieldRanking';
import { requestNewest } from '../log/requestLog';
import { hashOf } from '../auth/token';
import { typeReader } from '../events/reader';
import { isSameSelection } from '../events/names';
import { isPasted } from '../trigger/webhookProperties';
import { readChoices, readText } from '../text/json';
import { readEvents } from '../delivery/batch';

/*
 * The list of Call Details Mapping shows the fields of the events that _Execute step_ received in this process,
 * and of those in the service's log. The events are in memory only, and only users of the credential see their
 * values. Without a credential, all pasted webhooks share them, so the list has only the names of the fields.
 */

const KEPT_MS = 60 * 60_000;
const MOST_RECENT = 5;
const MOST_ENTRIES = 200;

/** The events that _Execute step_ received, with their credentials, the newest first. */
let kept: Array<{ owner: string; until: number; event: IDataObject }> = [];

/**
 * Keeps events for an hour, the newest five of a credential with its present service and API key.
 *
 * @returns all events that are kept for the credential
 * @throws NodeOperationError if the credential is invalid
 */
export async function keepEvents(context: Context, events: IDataObject[]): Promise<IDataObject[]> {
	const owner = await ownerOf(context);
	const now = Date.now();
	const added = events.map((event) => ({ owner, until: now + KEPT_MS, event }));
	const all = [...added, ...kept.filter(({ until }) => until > now)];
	const own = all.filter((one) => one.owner === owner).slice(0, MOST_RECENT);
	kept = [...own, ...all.filter((one) => one.owner !== owner)];
	return own.map(({ event }) => event);
}

/** @returns an empty text for a pasted webhook without a credential: n8n does not say which trigger asks */
async function ownerOf(context: Context): Promise<string> {
	if (isPasted(context)) {
		const secret = await readPastedSecret(context);
		return secret ? hashOf(secret) : '';
	}
	const { id } = context.getNode().credentials?.voiceAgentApi ?? {};
	const { baseUrl, apiKey } = await readCredential(context);
	return `${id} ${hashOf(`${baseUrl} ${apiKey}`)}`;
}

/**
 * Lists the fields of recent events for a row of Call Details Mapping, those that fit its detail first.
 *
 * @returns the paths, named by path and value; without an event, one entry that says why, and what to do. An
 *   error would make the editor hide the path of the row, or remove it.
 */
export async function getEventFields(this: ILoadOptionsFunctions) {
	const detail = this.getCurrentNodeParameter('&detail') as DetailKey;
	const stored = readText(this.getCurrentNodeParameter('&path'));
	const events: IDataObject[] = [];
	let areShared = false;
	let advice =
		'No recent event. Click "Execute step" of the trigger, then "Refresh List" in the menu of this field.';
	try {
		events.push(...(await keepEvents(this, [])));
		areShared = (await ownerOf(this)) === '';
		if (!isPasted(this)) events.push(...(await requestLogged(this)));
	} catch (error) {
		advice = (error as Error).message;
	}
	const entries = rankFields(hideAllSecrets(events, []), detail)
		// The editor would turn these into an expression.
		.filter(({ path }) => !/^=|\{\{/.test(path))
		.slice(0, MOST_ENTRIES)
		.map(({ path, value }) => {
			const shown = value instanceof Object ? Object.keys(value).join(', ') : String(value);
			return { name: areShared ? path : excerptOf(`${path}: ${shown}`), value: path };
		});
	// With the value '', the editor would show the advice until a path is chosen.
	if (entries.length === 0) entries.push({ name: advice, value: ' ' });
	// When the credential is changed, the editor removes a path that the list lacks.
	const isListed = !stored || entries.some(({ value }) => value === stored);
	return isListed ? entries : [{ name: stored, value: stored }, ...entries];
}

/**
 * Requests the newest events in the log of the trigger's endpoint. n8n does not say which trigger asks, so it is
 * the first endpoint with the trigger's event types, else the first one.
 *
 * @throws NodeApiError if the endpoints or the log can't be read
 */
async function requestLogged(context: ILoadOptionsFunctions): Promise<IDataObject[]> {
	const selection = readChoices(context.getCurrentNodeParameter('events'));
	const deadline = lifecycleDeadline();
	const { value } = await requestEndpoints(context, deadline);
	const endpoint = value.find(({ events }) => isSameSelection(events ?? [], selection)) ?? value[0];
	if (!endpoint) return [];
	const log = await requestNewest(context, endpoint, deadline);
	const readType = typeReader(selection, []);
	const bodies = log.value.flatMap(({ details: { event } }) => event ?? []);
	const events = bodies.flatMap((body) => readEvents(body, {}, readType)).map(({ json }) => json);
	return events.slice(0, MOST_RECENT);
}
