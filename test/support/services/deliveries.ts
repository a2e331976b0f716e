import { fc } from '../random';
import type { DrawnOf } from './production';

/** What a delivery looks like, and where it tells the event's type. */
export const deliveryAxes = {
	typePlace: {
		top: {
			key: fc.constantFrom(
				'type',
				'event',
				'event_type',
				'eventType',
				'topic',
				'name',
				'event_name',
				'eventName',
				'action',
				'event-type',
				'EventType',
				'webhookEvent',
			),
		},
		nested: {
			path: fc.constantFrom(
				['event', 'type'],
				['event', 'name'],
				['event', 'event_type'],
				['data', 'type'],
				['data', 'event_type'],
				['data', 'event'],
				['payload', 'type'],
				['meta', 'event_type'],
				['header', 'type'],
				['message', 'type'],
				['notification', 'event'],
				['detail', 'event_type'],
			),
		},
		header: {
			name: fc.constantFrom(
				'x-event-type',
				'x-acme-event',
				'x-acme-event-type',
				'x-webhook-event',
				'x-zorp-topic',
				'webhook-event',
				'x-acme-hook-event',
				'x-acme-webhook-type',
				'event-type',
				'x-event-name',
			),
		},
		cloudEvent: {},
		cloudEventInHeaders: {},
		/** Only the catalog's names can tell that it stands there. */
		nonsense: { key: fc.constantFrom('zorp', 'blib', 'quux') },
		nonsenseNested: { path: fc.constantFrom(['zorp', 'blib'], ['data', 'quux']) },
	},
	/** What stands beside the type, and is none. */
	besideType: {
		nothing: {},
		sayingNothing: {
			value: fc.constantFrom(
				'webhook_event',
				'event_callback',
				'inbound_call',
				'event',
				'notification',
				'webhook',
			),
		},
		typeOfCall: {},
		statusOfCall: {},
		/** The status of a call is called as an event type is that was not chosen. */
		statusLikeType: {},
		actor: {},
		headers: {},
	},
	typeSpelling: {
		exact: {},
		upperCase: {},
		underscored: {},
		dotted: {},
		dashed: {},
		prefixed: {
			prefix: fc.constantFrom('com.acme.', 'acme.', 'v1.', 'urn:acme:events:', 'acme/v2/'),
		},
		versioned: { version: fc.constantFrom('.v1', '.v2', '/v1') },
	},
	/** What the event tells of a call. */
	eventBody: {
		flat: {},
		below: { name: fc.constantFrom('data', 'payload', 'object', 'call', 'zorp') },
		mentionsAnother: {},
		mentionsChosen: {},
		echoesEndpoint: {},
	},
	batch: {
		none: {},
		array: { size: fc.integer({ min: 1, max: 3 }) },
		underName: {
			name: fc.constantFrom('events', 'data', 'items', 'batch'),
			size: fc.integer({ min: 1, max: 3 }),
			typed: fc.boolean(),
		},
	},
	deliveryMedia: { json: {}, withCharset: {}, vendor: {} },
	/** What the test operation sends. */
	sample: { subscribed: {}, ping: {}, untyped: {}, unknownType: {} },
} as const;

type Service = DrawnOf<typeof deliveryAxes>;
type Json = Record<string, unknown>;

/** A delivery, as the service sends it. */
export interface SentDelivery {
	headers: Record<string, string>;
	text: string;
	/** The events in it, each as a user of the trigger gets to see it. */
	events: Json[];
}

const MEDIA = {
	json: 'application/json',
	withCharset: 'application/json; charset=utf-8',
	vendor: 'application/vnd.acme.event+json',
};

/** Whether nothing but the catalog tells which text of a delivery is the event's type. */
export function isTypeHidden({ typePlace }: Service): boolean {
	return typePlace.kind.startsWith('nonsense');
}

/** Whether one header tells the type of all the events of a delivery. */
export function isTypeInHeaders({ typePlace }: Service): boolean {
	return typePlace.kind === 'header' || typePlace.kind === 'cloudEventInHeaders';
}

/** How many events come in one delivery. */
export const sizeOfBatch = ({ batch }: Service) => (batch.kind === 'none' ? 1 : batch.size);

/** What an event may mention beside its own type. */
export interface Mentions {
	/** Another type of the catalog, which was not chosen. */
	other?: string;
	/** A chosen one. */
	chosen?: string;
	/** The URL that the delivery goes to. */
	url: string;
}

/**
 * Makes a delivery.
 *
 * @param types of its events, by the catalog's names
 * @param n tells it from all others
 */
export function makeDelivery(
	service: Service,
	types: string[],
	n: number,
	mentions: Mentions,
): SentDelivery {
	const events = types.map((type, index) => eventOf(service, type, `${n}.${index}`, mentions));
	const { batch, typePlace } = service;
	const body =
		batch.kind === 'none'
			? events[0]!
			: batch.kind === 'array'
				? events
				: {
						...(batch.typed && { type: 'event_batch' }),
						sent_at: '2026-01-02T03:04:05Z',
						[batch.name]: events,
					};
	const type = spell(service, types[0]!);
	const headers: Record<string, string> = {
		'content-type':
			typePlace.kind === 'cloudEvent'
				? `application/cloudevents${batch.kind === 'array' ? '-batch' : ''}+json`
				: MEDIA[service.deliveryMedia.kind],
		'user-agent': 'acme-hooks/2.1',
	};
	if (typePlace.kind === 'header') headers[typePlace.name] = type;
	if (typePlace.kind === 'cloudEventInHeaders') {
		Object.assign(headers, {
			'ce-specversion': '1.0',
			'ce-id': `evt_${n}`,
			'ce-source': '/calls',
			'ce-type': type,
			'ce-time': '2026-01-02T03:04:05Z',
		});
	}
	if (service.besideType.kind === 'headers') {
		Object.assign(headers, {
			'x-acme-delivery': `del_${n}`,
			'x-acme-attempt': '1',
			'x-request-id': `req_${n}`,
			'x-acme-signature': 'sha256=00ff',
		});
	}
	return { headers, text: JSON.stringify(body), events };
}

/** Makes the delivery of a sample, which need not have the type of an event. */
export function makeSample(
	service: Service,
	subscribed: string,
	unknown: string,
	n: number,
	url: string,
): SentDelivery {
	switch (service.sample.kind) {
		case 'subscribed':
			return makeDelivery(service, [subscribed], n, { url });
		case 'unknownType':
			return makeDelivery(service, [unknown], n, { url });
		case 'ping':
			return plain({ type: 'ping', ping_id: n });
		case 'untyped':
			return plain({ message: 'This is a test of your webhook', test_id: n });
	}
}

/** A delivery of nothing but a body. */
export function plain(body: Json): SentDelivery {
	return {
		headers: { 'content-type': 'application/json' },
		text: JSON.stringify(body),
		events: [body],
	};
}

function spell({ typeSpelling }: Service, type: string): string {
	switch (typeSpelling.kind) {
		case 'exact':
			return type;
		case 'upperCase':
			return type.toUpperCase();
		case 'underscored':
			return type.replaceAll('.', '_');
		case 'dotted':
			return type.replace(/[_:/]/g, '.');
		case 'dashed':
			return type.replace(/[._]/g, '-');
		case 'prefixed':
			return typeSpelling.prefix + type;
		case 'versioned':
			return type + typeSpelling.version;
	}
}

function eventOf(service: Service, type: string, n: string, mentions: Mentions): Json {
	const spelled = spell(service, type);
	const about = aboutCall(service, n, mentions);
	const { typePlace } = service;
	const event: Json = { event_id: `evt_${n}`, ...besideType(service, mentions), ...about };
	switch (typePlace.kind) {
		case 'top':
		case 'nonsense':
			return { ...event, [typePlace.key]: spelled };
		case 'nested':
		case 'nonsenseNested': {
			const [outer, inner] = typePlace.path as [string, string];
			const held = event[outer];
			return { ...event, [outer]: { ...(held as Json | undefined), [inner]: spelled } };
		}
		case 'cloudEvent':
			return {
				...event,
				specversion: '1.0',
				id: `evt_${n}`,
				source: '/calls',
				type: spelled,
				datacontenttype: 'application/json',
			};
		default:
			return event;
	}
}

function besideType({ besideType: beside, typePlace }: Service, { other }: Mentions): Json {
	switch (beside.kind) {
		case 'sayingNothing':
			// Under a name that the type does not have.
			return typePlace.kind === 'top' && typePlace.key === 'type'
				? { object: beside.value }
				: { type: beside.value };
		case 'typeOfCall':
			return { call_type: 'inbound', channel: { type: 'phone', name: 'Line 1' } };
		case 'statusOfCall':
			return { status: 'completed', call_status: 'ended', reason: 'customer.hangup' };
		case 'statusLikeType':
			return { status: other ?? 'done', outcome: { result: other ?? 'done' } };
		case 'actor':
			return { actor: { type: 'agent', name: 'Ann', id: 'agt_1' }, account: 'acme' };
		default:
			return {};
	}
}

function aboutCall({ eventBody }: Service, n: string, mentions: Mentions): Json {
	const call = { call_id: `call_${n}`, duration: 63, to: '+15550100', tags: ['a', 'b'] };
	switch (eventBody.kind) {
		case 'flat':
			return call;
		case 'below':
			return { [eventBody.name]: call };
		case 'mentionsAnother':
			return {
				data: { ...call, history: [{ step: mentions.other ?? 'none' }], previous: mentions.other },
			};
		case 'mentionsChosen':
			return { data: { ...call, next_step: mentions.chosen ?? 'none' } };
		case 'echoesEndpoint':
			return { data: call, webhook: { id: 'wh_1', url: mentions.url } };
	}
}
