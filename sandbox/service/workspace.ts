import type { Dialect } from '../dialects';
import type { Deliveries } from './deliveries';
import type { Endpoint, Endpoints } from './endpoints';
import { createEvent, type EventType } from './events';
import type { Keys } from './keys';
import type { Sessions } from './sessions';

/** A limit of endpoints. */
export interface Quota {
	endpoints: number;
	/** What is answered beyond it, e.g. 403. */
	status: number;
}

/** The one workspace of a sandbox, and the dialect that it is spoken of in. */
export interface Workspace {
	id: string;
	dialect: Dialect;
	pageSize: number;
	/** How many endpoints there may be, and how one more is refused. */
	quota?: Quota;
	catalog: readonly EventType[];
	keys: Keys;
	endpoints: Endpoints;
	deliveries: Deliveries;
	sessions: Sessions;
	/** The editor's URL of the workflow that receives the events, if one is known. */
	editorUrl?: string;
}

/**
 * Makes an event happen, and starts its delivery to every endpoint that subscribes to its type.
 *
 * @param data the event's `data`; without it, a sample's
 */
export function emitEvent({ endpoints, deliveries }: Workspace, type: string, data?: object) {
	const event = createEvent(type, data);
	const started = endpoints
		.subscribedTo(type)
		.map((endpoint) => deliveries.send(event, endpoint).id);
	return { id: event.id, deliveries: started };
}

/** Sends an endpoint the dialect's sample, once; resolves when the attempt is over. */
export function sendSample({ dialect, deliveries }: Workspace, endpoint: Endpoint): Promise<void> {
	const type = {
		subscribed: endpoint.events?.[0] ?? 'call.completed',
		ping: 'ping',
		untyped: undefined,
	}[dialect.sampleType];
	return deliveries.sendOnce(createEvent(type), endpoint).done;
}
