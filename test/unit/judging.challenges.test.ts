import type { Delivery } from '../../nodes/VoiceAgent/delivery/decide';
import { CALL, COMPLETED, judged } from '../support/events/judging';

type Sent = Partial<Delivery>;

test.each<[string, Sent]>([
	['alone', { body: { challenge: 'abc' } }],
	['with a type', { body: { type: 'url_verification', challenge: 'abc', token: 'x' } }],
	['of a validation', { body: { challenge: 'abc', event: 'endpoint.validation' } }],
])('a challenge %s is answered', (_name, sent) => {
	const challenge = { kind: 'challenge', challenge: 'abc' };
	expect(judged(sent)).toEqual(challenge);
	expect(judged(sent, {}, { manual: true })).toEqual(challenge);
	expect(judged(sent, {}, { catalog: undefined })).toEqual(challenge);
	expect(judged(sent, { events: [] })).toEqual(challenge);
	// The signing secret may be part of the answer to the creation, and is still unknown.
	expect(judged(sent, { verifySignature: true })).toEqual(challenge);
});

const challenge = 'abc';
test.each<[string, Sent]>([
	['of a selected type', { body: { type: 'call.completed', challenge } }],
	['of an unknown type', { body: { type: 'agent.challenged', challenge } }],
	['of a call', { body: { ...CALL, challenge } }],
	['with a number as challenge', { body: { challenge: 7 } }],
	['with a challenge below', { body: { data: { challenge } } }],
	['beside a batch', { body: { challenge, events: [COMPLETED] } }],
])('a challenge is no part of an event %s', (_name, sent) => {
	expect(judged(sent).kind).toBe('accepted');
	expect(judged(sent, { events: [] }, { catalog: undefined }).kind).toBe('accepted');
});
