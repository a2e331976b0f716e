import { explainFailure } from '../../nodes/VoiceAgent/operations/check/checkLog';
import { readDeliveryDetails, type DeliveryDetails } from '../../nodes/VoiceAgent/log/attempts';
import { CRM_URL, failed, TRIGGER_URL } from '../support/service/endpointFacts';

const withoutAnswer = (error: string | null) => ({ status: null, succeeded: false, error });
const explain = (details: Partial<DeliveryDetails>, url: string) =>
	explainFailure({ ...readDeliveryDetails({}, { id: 'we_1' }), ...details }, url);

test.each<[string, Partial<DeliveryDetails>, RegExp, RegExp]>([
	['an old token', failed(401), /their secret .*status 401/, /it again.*Verify Signature/],
	['a firewall', failed(403), /^The deliveries were rejected \(status 403/, /firewall/],
	[
		'a bot filter',
		{ ...failed(403), response: '<!doctype html><title>Just a moment' },
		/bots.*403, a web page/,
		/pass there/,
	],
	['a proxy', failed(407), /^A proxy or .*status 407/, /\/webhook\//],
	['an origin that is down', failed(521), /cannot reach it.*status 521/, /tunnel/],
	['an origin without DNS', failed(530), /cannot reach it.*status 530/, /DNS/],
	['a slow workflow behind Cloudflare', failed(524), /No answer.*status 524/, /Immediately/],
	['TLS behind Cloudflare', failed(525), /a proxy .*accept the .*status 525/, /certificate/],
	['an unpublished workflow', failed(404), /^Nothing is at .*404/, /it again.* gone, .*delete/],
	[
		'n8n without this package',
		{ ...failed(400), response: '{"message":"Unrecognized node type: x.voiceAgentTrigger"}' },
		/^n8n has started without this package.*status 400/,
		/^Set N8N_UNVERIFIED_PACKAGES_ENABLED=true, restart n8n, and publish each workflow/,
	],
	['a deleted webhook', failed(410), /^Nothing is at this URL \(status 410/, /unpublish/],
	['a slow sender', failed(408), /No answer.*status 408/, /n8n runs/],
	['a long transcript', failed(413), /too large/, /N8N_PAYLOAD_SIZE_MAX/],
	['a long URL', failed(414), /too large .*URL \(414\)/, /limit of the proxy/],
	['many headers', failed(431), /too large .*headers \(431\)/, /max-http-header-size/],
	['an unusual refusal', failed(418), /rejected \(status 418/, /lastDelivery/],
	['a failed workflow', failed(500), /failed \(status 500\)/, /failed executions/],
	['n8n that is down', failed(502), /not ready.*status 502/, /n8n runs/],
	['a rotated API key', failed(503), /not ready.*status 503/, /API key may have changed/],
	['a slow workflow behind a proxy', failed(504), /No answer.*status 504/, /Immediately/],
	['a redirect', failed(301), /redirects .*status 301/, /N8N_WEBHOOK_URL/],
	['a login', { status: 302, succeeded: true }, /redirects .*status 302/, /N8N_WEBHOOK_URL/],
	['a web page', { status: 200, succeeded: true }, /^Another server than n8n/, /N8N_WEBHOOK_URL/],
	['a certificate', withoutAnswer('self-signed certificate'), /accept the .*self-/, /authority/],
	['an unknown host', withoutAnswer('getaddrinfo ENOTFOUND n8n'), /find the host/, /DNS/],
	[
		'a closed port',
		withoutAnswer('connect ECONNREFUSED ::1'),
		/fails .*REFUSED/,
		/N8N_WEBHOOK_URL/,
	],
	['a slow workflow', withoutAnswer('timeout of 10000ms exceeded'), /No answer/, /Immediately/],
	['an unknown error', withoutAnswer('E_42'), /^Deliveries fail \(E_42\)\.$/, /executions/],
	['no reason', withoutAnswer(null), /^Deliveries fail \(the log shows no reason\)/, /executions/],
])('explains the failure of deliveries by %s', (_name, details, what, toDo) => {
	const atTrigger = explain(details, TRIGGER_URL);
	expect(atTrigger.what).toMatch(what);
	expect(atTrigger.toDo).toMatch(toDo);
	const atOther = explain(details, CRM_URL);
	expect(atOther.what).toBe(atTrigger.what);
	expect(atOther.toDo).toMatch(/^Fix this at the receiver/);
});

test('gives the advice for triggers if the list masks the token or hides the URL', () => {
	const toDoAt = (url: string) => explain(failed(500), url).toDo;
	const ownPath = 'https://n8n.example.com/hooks/58474f00-b361-11eb-836d-0e4f3503ccbe/webhook?***';
	for (const url of ['https://n8n.example.com/webhook/6d1c/webhook?***', ownPath, '', 'hidden']) {
		expect(toDoAt(url)).toBe(toDoAt(TRIGGER_URL));
	}
});
