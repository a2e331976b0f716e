import { fc } from '../random';
import type { DrawnOf } from './production';

const secretName = fc.constantFrom(
	'secret',
	'signing_secret',
	'webhookSecret',
	'signing_key',
	'signingKey',
);

/** How an endpoint is registered and shown, and how the workspace of it behaves. */
export const endpointAxes = {
	/** What lists show as an endpoint's url. */
	listedUrl: {
		asSent: {},
		stars: {},
		starredValue: {},
		/** As many letters as the token has. */
		lettersForToken: {},
		partOfToken: {},
		redacted: {},
		dropped: {},
		port: {},
		slash: {},
		/** With a parameter of the service's own behind it. */
		extended: {},
		/** Nothing of it: only an answer of create can tell whose an id is. */
		hidden: { as: fc.constantFrom(null, '***', 'https://***') },
	},
	/** What the answer of create shows as the url. */
	createdUrl: { asSent: {}, asListed: {} },
	/** What shows which events an endpoint with chosen ones gets. */
	listedEvents: {
		asChosen: {},
		reordered: {},
		twice: {},
		upperCase: {},
		underscored: {},
		objects: { key: fc.constantFrom('type', 'name', 'event') },
		hidden: {},
	},
	/** What shows that an endpoint gets every event. */
	listedEvery: { absent: {}, null: {}, empty: {}, star: {}, catalog: {} },
	createdEvents: { asListed: {}, hidden: {} },
	/** How much of the record the answer of create has. */
	createdRecord: { whole: {}, idOnly: {} },
	state: {
		none: {},
		enabled: {},
		active: {},
		notDisabled: {},
		statusActive: {},
		statusPending: {},
		statusFailing: {},
		statusOk: {},
	},
	/** What lists show of what was removed. */
	removal: {
		gone: {},
		shown: {
			as: fc.constantFrom<Record<string, unknown>>(
				{ status: 'deleted' },
				{ deleted: true },
				{ deleted_at: '2026-01-02T03:04:05Z' },
				{ state: 'removed' },
			),
		},
	},
	/** How deliveries are signed, which the user then has verified. */
	signing: { none: {}, standard: {}, svix: {}, hmacHex: {}, hmacBase64: {}, timestamped: {} },
	/** Where the secret is to be had; it is there without signatures too. */
	secretPlace: {
		nowhere: {},
		inRecord: { name: secretName },
		besideRecord: { name: secretName },
		inDashboard: { masked: fc.boolean() },
	},
	/** What happens to the endpoint of a published trigger. */
	meanwhile: {
		nothing: {},
		removedByHand: {},
		disabled: {
			as: fc.constantFrom<Record<string, unknown>>(
				{ enabled: false },
				{ active: false },
				{ is_active: false },
				{ disabled: true },
				{ status: 'disabled' },
				{ status: 'paused' },
				{ state: 'suspended' },
			),
		},
		keyRotated: {},
		keyRotatedAndDataLost: {},
	},
	/** Where the answer of a key's creation holds its value. */
	keyPlace: { inRecord: {}, besideRecord: {} },
	/** What lists of keys show in place of the value. */
	listedKey: { absent: {}, null: {}, masked: {} },
	/** What else happens at the URL while it is being registered. */
	whileCreating: {
		nothing: {},
		ping: {},
		chosenEvent: {},
		challenge: {},
		typedChallenge: {},
		queryChallenge: {},
	},
	/** Whether an address can be registered again. */
	sameAddress: {
		allowed: {},
		urlConflict: { status: fc.constantFrom(409, 422) },
		addressConflict: { status: fc.constantFrom(409, 422) },
		/** The endpoint that has it is given back, as it is. */
		givesBackOld: { status: fc.constantFrom(200, 201) },
	},
	/** After how long lists show what has changed. */
	lag: {
		none: {},
		requests: { count: fc.integer({ min: 1, max: 2 }) },
		milliseconds: { ms: fc.integer({ min: 200, max: 2500 }) },
	},
	/** What an earlier life of the trigger has left, and whether the workspace is full with it. */
	leftBehind: {
		nothing: {},
		withToken: {},
		withoutQuery: {},
		fillingTheLimit: { status: fc.constantFrom(400, 402, 403, 409, 422) },
	},
	/** How many there are beside what the test makes. */
	crowd: { none: {}, few: {}, pageful: {}, more: { by: fc.integer({ min: 1, max: 4 }) } },
	neighbour: { none: {}, sibling: {}, otherHost: {}, below: {} },
	authHeader: { authorization: {}, 'x-api-key': {} },
} as const;

type Service = DrawnOf<typeof endpointAxes>;

/** The url of an endpoint as lists show it. */
export function listedUrl({ listedUrl: shown }: Service, sent: string): string | null {
	const url = new URL(sent);
	const address = url.origin + url.pathname;
	const [name, token = ''] = url.search.slice(1).split('=');
	if (shown.kind === 'hidden') return shown.as;
	if (!name) return shown.kind === 'slash' ? `${address}/` : sent;
	switch (shown.kind) {
		case 'asSent':
			return sent;
		case 'stars':
			return `${address}?***`;
		case 'starredValue':
			return `${address}?${name}=***`;
		case 'lettersForToken':
			return `${address}?${name}=${'x'.repeat(token.length)}`;
		case 'partOfToken':
			return `${address}?${name}=${token.slice(0, 4)}${'*'.repeat(8)}`;
		case 'redacted':
			return `${address}?[redacted]`;
		case 'dropped':
			return address;
		case 'port':
			return `${url.protocol}//${url.hostname.toUpperCase()}:${url.port || '443'}${url.pathname}${url.search}`;
		case 'slash':
			return `${address}/${url.search}`;
		case 'extended':
			return `${sent}&source=acme`;
	}
}

/** Whether lists show the token in the url. */
export function showsToken({ listedUrl: shown }: Service): boolean {
	return /^(asSent|port|slash|extended)$/.test(shown.kind);
}

/** The events of an endpoint as its record shows them; none where it shows none. */
export function listedEvents(
	{ listedEvents: shown, listedEvery }: Service,
	subscribed: string[] | undefined,
	catalog: string[],
): { events?: unknown } {
	if (shown.kind === 'hidden') return {};
	if (!subscribed || subscribed.length === 0) {
		switch (listedEvery.kind) {
			case 'absent':
				return {};
			case 'null':
				return { events: null };
			case 'empty':
				return { events: [] };
			case 'star':
				return { events: ['*'] };
			case 'catalog':
				return { events: catalog };
		}
	}
	switch (shown.kind) {
		case 'asChosen':
			return { events: subscribed };
		case 'reordered':
			return { events: [...subscribed].reverse() };
		case 'twice':
			return { events: [...subscribed, subscribed[0]] };
		case 'upperCase':
			return { events: subscribed.map((name) => name.toUpperCase()) };
		case 'underscored':
			return { events: subscribed.map((name) => name.replace(/\.(?!\*)/g, '_')) };
		case 'objects':
			return { events: subscribed.map((name) => ({ [shown.key]: name, enabled: true })) };
	}
}

/** What an endpoint's record says of its state. */
export function stateOf({ state }: Service): Record<string, unknown> {
	return {
		none: {},
		enabled: { enabled: true },
		active: { active: true },
		notDisabled: { disabled: false, disabled_reason: null },
		statusActive: { status: 'active' },
		statusPending: { status: 'pending' },
		statusFailing: { status: 'failing', failures: 3 },
		statusOk: { status: { code: 'ok', since: '2026-01-02T03:04:05Z' } },
	}[state.kind];
}
