import type { Dialect } from '../dialects';
import type { Deliveries } from './deliveries';
import type { Endpoint, Endpoints } from './endpoints';
import { createEvent, type EventType } from './events';
import type { Keys } from './keys';
import type { Sessions } from './sessions';

/** A limit of endpoints. */
export interface Quota {
	endpoints: number;
	/** The status of the answer beyond it, e.g. 403. */
	status: number;
}

/** The one workspace of a sandbox, and the dialect of its answers. */
export interface Workspace {
	id: string;
	dialect: Dialect;
	pageSize: number;
	/** The highest number of endpoints, and the refusal of a further one. */
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
 * Creates an event, and starts its delivery to every endpoint that subscribes to its type.
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
	const subscribed = endpoint.events?.[0] ?? 'call.completed';
	const types = { subscribed, ping: 'ping', untyped: undefined };
	return deliveries.sendOnce(createEvent(types[dialect.sampleType]), endpoint).done;
}
