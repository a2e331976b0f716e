import { createHmac } from 'node:crypto';
import fastify from 'fastify';
import { createEvent } from './service/events';
import { makeAgent, post } from './service/post';

/** A form of its page: the URL to which it delivers, and how it shows who it is. */
type Form = Record<'url' | 'proof' | 'secret', string>;

/** What each choice of the form adds to a delivery. */
const PROOFS: Record<string, (form: Form, body: string) => Record<string, string>> = {
	'Nothing: the URL is the secret': () => ({}),
	'The secret in the header x-webhook-secret': ({ secret }) => ({ 'x-webhook-secret': secret }),
	'A signature in the header x-signature': ({ secret }, body) => ({
		'x-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
	}),
};

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost'];

/**
 * Starts a service of the second kind: it has no API, and a person pastes the URL on its page, where a button lets a
 * call end.
 *
 * @param ca a certificate authority (PEM) to trust beside the public ones
 */
export async function startPastedService(ca?: string) {
	const app = fastify();
	const stopping = new AbortController();
	app.addContentTypeParser(
		'application/x-www-form-urlencoded',
		{ parseAs: 'string' },
		(_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
	);
	// Without it, any web page could let the service deliver, by DNS rebinding.
	app.addHook('onRequest', async ({ hostname }, reply) => {
		if (!LOOPBACK_NAMES.includes(hostname)) await reply.code(403).send('Only for this computer');
	});
	const agent = makeAgent(ca);
	app.get('/', async (_request, reply) => await reply.type('text/html').send(pageOf()));
	app.post<{ Body: Form }>('/', async ({ body: form }, reply) => {
		const body = JSON.stringify(createEvent('call.completed'));
		const proof = PROOFS[form.proof]?.(form, body);
		const headers = { 'content-type': 'application/json', ...proof };
		const { response_status, error } = await post(
			form.url,
			{ headers, body },
			agent,
			stopping.signal,
		);
		const answer = error ?? `n8n answered ${response_status}.`;
		await reply.type('text/html').send(pageOf(form, answer));
	});
	const pageUrl = `${await app.listen({ host: '127.0.0.1', port: 0 })}/`;
	const stop = async () => {
		stopping.abort();
		await app.close();
	};
	return { pageUrl, stop };
}

const escapeHtml = (text: string) =>
	text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** @param answer to the last delivery */
function pageOf({ url, proof, secret }: Partial<Form> = {}, answer = ''): string {
	const options = Object.keys(PROOFS).map(
		(name) => `<option${name === proof ? ' selected' : ''}>${name}</option>`,
	);
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Pasted webhook sandbox</title>
<style>body { max-width: 40rem; margin: 2rem auto; font: 1rem sans-serif } label, input, select { display: block; width: 100%; margin: .5rem 0 }</style>
<h1>A service without an API for webhooks</h1>
<p>No real call is made.</p>
<form method="post">
<label>Webhook URL <input name="url" type="url" required value="${escapeHtml(url ?? '')}"></label>
<label>Deliveries carry <select name="proof">${options.join('')}</select></label>
<label>Secret <input name="secret" value="${escapeHtml(secret ?? 'a long random text')}"></label>
<button>Let a call end</button>
</form>
<p role="status">${escapeHtml(answer)}</p>
</html>`;
}
