import { ownershipOf } from '../../nodes/VoiceAgent/webhook/examine';
import { bindingOf, makeToken } from '../../nodes/VoiceAgent/auth/token';
import type { TriggerTask } from '../../nodes/VoiceAgent/webhook/triggerTask';

const KEY = 'svc_live_abc';
const URL_ = 'https://n8n.example.com/webhook/3f2504e0/webhook';
const FORMER = 'https://old.example.com/n8n/webhook/3f2504e0/webhook';
const TEST_URL = URL_.replace('/webhook/', '/webhook-test/');
const MINUTE_MS = 60_000;

const task = {
	credential: { apiKey: KEY },
	webhookUrl: URL_,
	binding: bindingOf('production', 'wf1', URL_),
	testBinding: bindingOf('test', 'wf1', URL_),
	ownState: {
		endpoints: [
			{ id: 'former', url: FORMER },
			{ id: 'present', url: URL_ },
		],
	},
} as unknown as TriggerTask;

/** The query with a token that was made some minutes ago. */
function tokenOf({
	mode = 'test' as 'test' | 'production',
	minutes = 13,
	key = KEY,
	id = 'wf1',
} = {}): string {
	const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - minutes * MINUTE_MS);
	const token = makeToken(key, bindingOf(mode, id, URL_));
	clock.mockRestore();
	return `voice_agent_token=${token}`;
}

const LISTENER = `${TEST_URL}?${tokenOf()}`;

// Promise: An endpoint is own by its present URL, by its stored ID and URL, or as a stale test
// listener.
test.each([
	['an endpoint at the present URL with any query', 'x', `${URL_}?a=1`, 'present'],
	['a former ID at the URL that was stored with it', 'former', `${FORMER}?a=1`, 'former'],
	['a stale test listener', 'x', LISTENER, 'listener'],
	['a stale listener at a former host', 'x', LISTENER.replace('n8n', 'old'), 'listener'],
] as const)('%s is own', (_name, id, url, ownership) => {
	expect(ownershipOf(task, { id, url })).toBe(ownership);
});

// Promise: Any other endpoint is not own.
test.each([
	['a former URL with another ID', 'x', FORMER],
	['the URL of another stored ID', 'present', FORMER],
	['a stored ID at another path', 'present', 'https://n8n.example.com/webhook/1b9d/webhook'],
	['a stored ID without a URL', 'present', ''],
	['a stored ID with a masked URL', 'present', 'https://n8n.example.com/***'],
	['a stale production token', 'x', `${TEST_URL}?${tokenOf({ mode: 'production' })}`],
	['a test listener that may be open', 'x', `${TEST_URL}?${tokenOf({ minutes: 11 })}`],
	['a test listener of another workflow', 'x', `${TEST_URL}?${tokenOf({ id: 'wf2' })}`],
	['a test listener of another API key', 'x', `${TEST_URL}?${tokenOf({ key: 'svc_live_abd' })}`],
	['the test URL without a token', 'x', TEST_URL],
])('%s is not own', (_name, id, url) => expect(ownershipOf(task, { id, url })).toBeUndefined());
