import type { IDataObject } from 'n8n-workflow';

import {
	EventIndex,
	identityOf,
	isSameEvent,
	readBodyIds,
	type EventIdentity,
} from '../../nodes/VoiceAgent/events/identity';
import { readAttempt } from '../../nodes/VoiceAgent/log/attempts';

const digestOf = (body: unknown) => identityOf(null, [], body).digest;
const withParameter = (name: string, value: number) =>
	digestOf({ url: `https://a.example/1?id=1&${name}=${value}#2` });
const identityIn = (record: IDataObject) => readAttempt(record, { id: 'we_1' }).identity;

/** @returns whether a delivery is taken for one of the event that a record of the log holds */
function isRedelivery(
	record: IDataObject,
	body: unknown,
	inHeaders: string[],
	type: string | null = null,
): boolean {
	const ids = [...readBodyIds(body).sure, ...inHeaders];
	return isSameEvent(identityIn(record), identityOf(type, ids, body));
}

const body = { type: 'call.updated', id: 'call_1', duration: 60 };
const reordered = Object.fromEntries(Object.entries(body).reverse());
/** Of any call. */
const thin = { type: 'call.ended' };
const ofPhone = { ...thin, from: '+44 20 7946 0321' };
const huge = 2 ** 60;
const [longId, nextId] = ['1234567890123456789', '1234567890123456790'];
const attempt = { id: 'atm_1', status: 'failed' };
const payload = body;
const event = { id: 'evt_1', type: 'call.updated', call: 'call_1' };

test.each<[string, IDataObject, unknown, string[]?]>([
	['by the id of the event in a header', { event_id: 'e', payload: thin }, thin, ['e']],
	['by the id of the delivery in a header', { delivery_id: 'd', payload: thin }, thin, ['d']],
	['by event_id in the body, without a payload in the log', { event_id: 'e' }, { event_id: 'e' }],
	['by deliveryId in the body, without one', { delivery_id: 'd' }, { deliveryId: 'd' }],
	['with another time of sending', { event_id: 'evt_1', payload: event }, { ...event, sent_at: 2 }],
	['with a counter of attempts', { payload: event }, { ...event, attempt: 2, delivery_id: 'd2' }],
	[
		'with a counter in an envelope',
		{ payload: { ...event, meta: { attempt: 1 } } },
		{ ...event, meta: { attempt: 2 } },
	],
	['by its id, with the data of the body alone', { event_id: 'e', data: { a: 1 } }, event, ['e']],
	['by the same body without ids', { payload }, { ...body }],
	['by the same body, without the id of the log', { event_id: 'e', payload }, body],
	['by the same body in another order', { payload }, reordered],
	['by the same body, with an id for each attempt', { delivery_id: 'd', payload }, body, ['f']],
])('a delivery is the redelivery of an event %s', (_by, record, delivered, ids = []) =>
	expect(isRedelivery({ ...attempt, ...record }, delivered, ids)).toBe(true),
);

test('events whose payloads differ in the token of a URL are different if they have ids', () => {
	const of = (id: string, token: string) =>
		identityOf(null, [id], { url: `https://a.example/v1/recordings?token=${token}` });
	expect(isSameEvent(of('e', 'a'), of('f', 'b'))).toBe(false);
	expect(isSameEvent(of('e', 'a'), of('e', 'b'))).toBe(true);
});

test('events of one payload are different if they have ids of their own', () => {
	const [one, other] = ['e', 'f'].map((id) => identityIn({ event_id: id, payload }));
	expect(isSameEvent(one!, one!)).toBe(true);
	expect(isSameEvent(one!, other!)).toBe(false);
});

test.each<[string, IDataObject, unknown, string[]?]>([
	['with the id of the same call', { payload }, { ...body, duration: 61 }],
	[
		'with another attempt to call',
		{ payload: { ...thin, data: { lead: 7, attempt: 1 } } },
		{ ...thin, data: { lead: 7, attempt: 2 } },
	],
	[
		'with other ids and the phone number of the same person',
		{ event_id: 'e', payload: ofPhone },
		ofPhone,
		['f'],
	],
	['with an id of digits that names another thing', { delivery_id: 7, payload }, { id: 7 }],
	['with the id of the attempt', { payload }, { x: 1 }, ['atm_1']],
	['with a number that JSON rounds', { event_id: huge, payload }, { event_id: huge }],
	['with a long id that JSON rounds alike', { payload: { id: longId } }, { id: nextId }],
	['in another order of a list', { payload: { a: [1, 2] } }, { a: [2, 1] }],
	['with the id of its call and other content', { event_id: 'c', payload }, { x: 1 }, ['c']],
	['without anything that identifies it', { payload }, undefined],
])('a delivery is of another event %s', (_with, record, delivered, ids = []) =>
	expect(isRedelivery({ ...attempt, ...record }, delivered, ids)).toBe(false),
);

test.each([
	['call.completed', 'call.started', false],
	['call.completed', null, true],
])(
	'with the id of its call, an event of the type %s is one of the type %s: %s',
	(logged, sent, same) => {
		const record = { event_id: 'call_1', event_type: logged, payload: { id: 'call_1' } };
		expect(isRedelivery({ ...attempt, ...record }, { id: 'call_1' }, [], sent)).toBe(same);
	},
);

test.each([
	['its payload', identityOf(null, [], body), identityOf(null, [], reordered)],
	['the id in its payload', identityOf(null, [], event), identityOf(null, ['evt_1'], null)],
	['the id of another payload', identityOf(null, ['evt_1'], null), identityOf(null, [], event)],
])('an event of an index is found by %s', (_by, stored, sought) => {
	const index = new EventIndex();
	const newer = { ...stored };
	for (const one of [identityOf(null, ['z'], { z: 1 }), stored, newer]) index.add(one);
	expect(index.find(sought)).toBe(newer);
	expect(index.find(sought, (found) => found !== newer)).toBe(stored);
	expect(index.find(identityOf(null, ['y'], { y: 1 }))).toBeUndefined();
});

test.each([
	[[], [], true],
	[['e'], [], false],
])('events of one payload without a digit and with the ids %j and %j are one: %s', (...args) => {
	const [ids, others, isSame] = args;
	expect(isSameEvent(identityOf(null, ids, thin), identityOf(null, others, thin))).toBe(isSame);
});

test.each([
	...['attempt', 'retry_count', 'retries', 'deliveryAttempts', 'attemptNumber', 'sent', 'sentAt'],
	...['delivered_on', 'dispatch_time', 'deliveryId', 'transmission_uuid', 'Sent_At'],
])('the field %s is of the delivery', (name) => {
	expect(digestOf({ ...body, [name]: 2 })).toBe(digestOf(body));
});

test.each([
	...['call_attempts', 'attempted', 'attempt_of', 'presented', 'consent', 'sent_by', 'sentence'],
	...['redelivery_id', 'delivery_identity', 'id', 'time'],
])('the field %s is of the event', (name) => {
	expect(digestOf({ ...body, [name]: 2 })).not.toBe(digestOf(body));
});

test.each([
	...['X-Amz-Signature', 'x-oss-date', 'q-key', 'hash', 'md5', 'jwt', 'auth', 'auth_key'],
	...['authorization', 'verify', 'sig', 'expires_at', 'expiry', 'Policy', 'AWSAccessKeyId'],
	...['accessToken', 'nonce', 'hdnts', 'exp', 'ts', 'se', 'st', 'ske', 'skt'],
])('the parameter %s of a URL is signed anew in each answer', (name) =>
	expect(withParameter(name, 1)).toBe(withParameter(name, 2)),
);

test.each(['rehash', 'skin', 'exporter', 'ts2', 'x', 'part'])('the parameter %s is not', (name) =>
	expect(withParameter(name, 1)).not.toBe(withParameter(name, 2)),
);

test.each<[string, (at: number) => EventIdentity]>([
	['one ID', (at) => identityOf('call.completed', ['same'], { call: `c${at}` })],
	['one payload', (at) => identityOf('call.completed', [`e${at}`], { type: 'call.completed' })],
])('each event is compared with a bounded number of others that share %s', (_name, make) => {
	const [index, most] = [new EventIndex(), 2_000];
	let compared = 0;
	for (let at = 0; at < most; at++) {
		const identity = make(at);
		index.find(identity);
		// Each comparison reads the type of the stored event once.
		const type = { get: () => (compared++, identity.type) };
		index.add(Object.defineProperty({ ...identity }, 'type', type));
	}
	expect(compared).toBeLessThan(most * 500);
});

test('a body that nests too deep has no digest', () => {
	const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
	expect(digestOf(nested(100))).toEqual(expect.any(String));
	expect(digestOf(nested(100_000))).toBeUndefined();
});

// Promise: What is remembered of a delivery is bounded, however long its IDs are.
test('a long id is remembered as its hash', () => {
	const id = 'e'.repeat(100_000);
	const [short = ''] = readBodyIds({ event_id: id }).sure;
	expect(short.length).toBeLessThan(50);
	expect(readBodyIds({ event_id: id }).sure).toEqual([short]);
	expect(readBodyIds({ event_id: `${id}e` }).sure).not.toEqual([short]);
});
