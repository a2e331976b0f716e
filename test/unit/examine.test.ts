import type { Endpoint } from '../../nodes/VoiceAgent/lists/records';
import { bindingOf, hashOf, makeToken, withToken } from '../../nodes/VoiceAgent/auth/token';
import type { TriggerTask } from '../../nodes/VoiceAgent/webhook/triggerTask';
import type { TriggerState } from '../../nodes/VoiceAgent/state/triggerState';
import { canVerify, examine } from '../../nodes/VoiceAgent/webhook/examine';

const KEY = 'svc_live_abc';
const URL_ = 'https://n8n.example.com/webhook/3f2504e0/webhook';
const MASKED = `${URL_}?***`;
const SETTINGS = { events: ['call.completed'], verifySignature: false, requestTest: false };
const binding = bindingOf('production', 'wf1', URL_);

beforeAll(() => jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) }));
afterAll(() => jest.useRealTimers());

/** @returns a URL with a token of this moment; the next one is newer */
function registered(apiKey = KEY): string {
	jest.advanceTimersByTime(1000);
	return withToken(URL_, makeToken(apiKey, binding));
}

const endpoint = (id: string, url: string, more: Partial<Endpoint> = {}) =>
	({ id, url, events: SETTINGS.events, ...more }) as Endpoint;

const taskWith = (ownState: TriggerState, webhookSigningSecret = '', kind = 'publish') =>
	({
		kind,
		credential: { apiKey: KEY, webhookSigningSecret },
		webhookUrl: URL_,
		binding,
		testBinding: bindingOf('test', 'wf1', URL_),
		ownState,
	}) as TriggerTask;

const stored = (id: string, more: TriggerState = {}): TriggerState => ({
	endpoints: [{ id, url: URL_ }],
	...more,
});

async function examined(listed: Endpoint[], ownState: TriggerState = {}, settings = SETTINGS) {
	const found = await examine(taskWith(ownState), settings, listed);
	return { id: found.endpoint?.id, fault: found.fault, others: found.others.map(({ id }) => id) };
}

test('of several endpoints at the URL, the stored one, else the first whose token proves itself serves the trigger', async () => {
	const [older, newer] = [endpoint('older', registered()), endpoint('newer', registered())];
	const foreign = endpoint('foreign', registered('svc_live_other'));
	const elsewhere = endpoint('elsewhere', 'https://crm.example.com/hook');
	const ids = { id: 'newer', fault: undefined, others: ['older'] };
	expect(await examined([older, newer], stored('newer'))).toEqual(ids);
	expect(await examined([elsewhere, newer, older])).toEqual(ids);
	expect(await examined([foreign, older])).toMatchObject({ id: 'older', others: ['foreign'] });
	expect(await examined([elsewhere])).toEqual({ id: undefined, fault: 'missing', others: [] });
});

test('of several endpoints whose tokens are hidden, the stored one serves the trigger', async () => {
	const listed = [endpoint('one', MASKED), endpoint('other', MASKED)];
	const ownState = stored('other', { tokenHashes: [hashOf('token')] });
	const found = { id: 'other', fault: undefined, others: ['one'] };
	expect(await examined(listed, ownState)).toEqual(found);
	expect(await examined(listed.toReversed(), ownState)).toEqual(found);
});

const ofAnotherKey = withToken(URL_, makeToken('svc_live_other', binding));
const verified = { ...SETTINGS, verifySignature: true };

test.each<[string, string | undefined, Partial<Endpoint>, TriggerState?, typeof SETTINGS?]>([
	['with a token', undefined, {}],
	['whose token is hidden', 'token', { url: MASKED }],
	['that is stored without a hidden token', 'token', { url: MASKED }, stored('wh_1')],
	['beside a stored one', 'token', { url: MASKED }, stored('wh_2', { tokenHashes: ['a'] })],
	['with the token of another key', 'token', { url: ofAnotherKey }],
	['that is turned off', 'disabled', { isDisabled: true }],
	['without its signing secret', 'secret', {}, {}, verified],
	['with other events', 'events', { events: ['call.failed'] }],
	['with hidden events', 'events', { events: undefined }],
	[
		'with hidden events that are stored',
		undefined,
		{ events: undefined },
		stored('wh_1', SETTINGS),
	],
])(
	'an endpoint %s has the fault: %s, and for a poll none by what is hidden',
	async (_name, fault, more, ownState = {}, settings = SETTINGS) => {
		const listed = [endpoint('wh_1', registered(), more)];
		const found = await examined(listed, ownState, settings);
		expect(found).toEqual({ id: 'wh_1', fault, others: [] });
		const ofPoll = await examine(taskWith(ownState, '', 'poll'), settings, listed);
		const isHidden = more.url === MASKED || ('events' in more && !more.events);
		expect(ofPoll.fault).toBe(isHidden ? undefined : fault);
	},
);

test.each<[verifies: boolean, why: string, TriggerState, isStored: boolean, secret: string]>([
	[true, 'the own secret', stored('wh_1', { signingSecret: 's' }), true, ''],
	[true, "the credential's", stored('wh_1'), true, 's'],
	[false, 'no secret', stored('wh_1'), true, ''],
	[true, "the credential's, as for the stored one", stored('wh_1'), false, 's'],
	[false, 'no secret of another endpoint', stored('wh_1', { signingSecret: 's' }), false, 's'],
	[false, "the credential's, unless one is stored", {}, false, 's'],
])('signatures can be verified: %s, with %s', (verifies, _why, ownState, isStored, secret) => {
	const task = taskWith(ownState, secret);
	const settings = { ...SETTINGS, verifySignature: true };
	expect(canVerify(task, settings, isStored ? ownState : undefined)).toBe(verifies);
	expect(canVerify(task, SETTINGS)).toBe(true);
});
