import { explainFailure } from '../../nodes/VoiceAgent/operations/check/checkDelivery';
import {
	readDeliveryDetails,
	type DeliveryDetails,
} from '../../nodes/VoiceAgent/deliveryLog/deliveryDetails';

const TRIGGER_URL = `https://n8n.example.com/webhook/6d1c/webhook?voice_agent_token=${'A'.repeat(43)}`;
const CRM_URL = 'https://crm.example.com/hooks';

const failed = (status: number) => ({ status, succeeded: false });
const withoutAnswer = (error: string | null) => ({ status: null, succeeded: false, error });
const explain = (told: Partial<DeliveryDetails>, url: string) =>
	explainFailure({ ...readDeliveryDetails({}, { id: 'we_1' }), ...told }, url);

describe('what a failure means', () => {
	test.each<[string, Partial<DeliveryDetails>, RegExp, RegExp, RegExp]>([
		[
			'an old token',
			failed(401),
			/refuses .*\(status 401\)\.$/,
			/older publication, or the API key was changed .*: unpublish the workflow and publish it again/,
			/Check what the receiver knows the service by/,
		],
		['a firewall', failed(403), /refuses .*status 403/, /in front of n8n/, /in front of it/],
		[
			'nobody there',
			failed(404),
			/^Nothing is at this URL \(status 404\)\.$/,
			/unpublish it and publish it again.*gone, delete this webhook.*another n8n.*cannot be told/,
			/Check the address/,
		],
		['gone', failed(410), /^Nothing is at this URL \(status 410\)/, /unpublish/, /delete/],
		['too large', failed(413), /too large/, /N8N_PAYLOAD_SIZE_MAX/, /limit/],
		['an odd refusal', failed(418), /refuses .*status 418/, /lastDelivery/, /lastDelivery/],
		['a run that failed', failed(500), /fails \(status 500\)/, /under Executions/, /its answer/],
		['n8n is down', failed(502), /not ready.*status 502/, /n8n is up/, /receiver is up/],
		['being set up', failed(503), /not ready.*status 503/, /API key may have changed/, /is up/],
		['a slow run behind a proxy', failed(504), /stopped waiting/, /Immediately/, /so long/],
		['a redirect', failed(301), /redirect/, /WEBHOOK_URL/, /Register the address/],
		[
			'a certificate of its own',
			withoutAnswer('self-signed certificate'),
			/does not accept the certificate .*\(self-signed certificate\)\.$/,
			/n8n, or the proxy in front of it, a public authority's certificate/,
			/public authority's certificate/,
		],
		[
			'a certificate of another host',
			withoutAnswer("Hostname/IP does not match certificate's altnames"),
			/does not accept the certificate/,
			/this very host/,
			/this very host/,
		],
		['an unknown host', withoutAnswer('getaddrinfo ENOTFOUND n8n'), /find the host/, /DNS/, /DNS/],
		[
			'nobody listens',
			withoutAnswer('connect ECONNREFUSED 192.0.2.1:443'),
			/cannot reach this URL \(connect ECONNREFUSED/,
			/firewall.*WEBHOOK_URL/,
			/firewall/,
		],
		['no way', withoutAnswer('connect ETIMEDOUT'), /cannot reach/, /firewall/, /firewall/],
		[
			'a slow run',
			withoutAnswer('timeout of 10000ms exceeded'),
			/No answer came in the time/,
			/When Last Node Finishes.*longer/,
			/so long/,
		],
		['a slow run, in a word', withoutAnswer('timeout'), /No answer/, /Immediately/, /so long/],
		['a cut line', withoutAnswer('read ECONNRESET'), /breaks/, /in front of n8n/, /receiver/],
		['closed', withoutAnswer('Connection closed'), /breaks/, /in front of n8n/, /receiver/],
		[
			'words that nobody knows',
			withoutAnswer('E_42'),
			/^Deliveries fail \(E_42\)\.$/,
			/Executions/,
			/logged/,
		],
		['no words', withoutAnswer(null), /does not tell why/, /Executions/, /logged/],
	])('%s', (_name, told, what, atTrigger, atReceiver) => {
		const trigger = explain(told, TRIGGER_URL);
		expect(trigger.what).toMatch(what);
		expect(trigger.toDo).toMatch(atTrigger);
		expect(explain(told, CRM_URL).toDo).toMatch(atReceiver);
	});

	test('a webhook that a test of a workflow left behind is to be deleted', () => {
		const url = TRIGGER_URL.replace('/webhook/', '/webhook-test/');
		expect(explain(failed(404), url).toDo).toMatch(/Delete this webhook/);
		expect(explain(failed(401), url).toDo).not.toMatch(/Delete this webhook/);
		const { what } = explain(failed(404), `${CRM_URL}/webhook-test/1`);
		expect(what).toMatch(/^Nothing is at this URL/);
	});

	test("a trigger's webhook is one also where the list hides its token, or its whole URL", () => {
		const toDoAt = (url: string) => explain(failed(500), url).toDo;
		for (const url of ['https://n8n.example.com/webhook/6d1c/webhook?***', '', 'hidden']) {
			expect(toDoAt(url)).toBe(toDoAt(TRIGGER_URL));
		}
		expect(toDoAt(CRM_URL)).not.toBe(toDoAt(TRIGGER_URL));
	});
});
