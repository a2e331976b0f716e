import fastify, { type FastifyInstance } from 'fastify';
import type { IDataObject } from 'n8n-workflow';
import type { Browser, Locator } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../sandbox/service';
import { makeCertificate } from '../../sandbox/stack/certificates';
import { startBrowser, takePicture } from './browser';

jest.setTimeout(60_000);

const editorUrl = 'http://127.0.0.1:5678/workflow/1';

let browser: Browser;
let receiver: FastifyInstance;
let sandbox: Sandbox;
/** The received events, oldest first. */
const received: Array<{ data: IDataObject }> = [];

beforeAll(async () => {
	browser = await startBrowser();
	const { ca, key, cert } = await makeCertificate();
	receiver = fastify({ https: { key, cert }, forceCloseConnections: true });
	receiver.post('/*', ({ body }) => {
		received.push(body as (typeof received)[number]);
		return { message: 'Workflow was started' };
	});
	const address = await receiver.listen({ host: '127.0.0.1', port: 0 });
	sandbox = await startSandbox({ ca, dialect: { signature: 'standard-webhooks' } });
	const url = `${address}/webhook/call-to-crm/webhook?token=secret`;
	sandbox.addEndpoint({ url, events: ['call.completed'] });
	sandbox.setEditorUrl(editorUrl);
});
afterAll(async () => {
	await browser?.close();
	await sandbox?.stop();
	await receiver?.close();
});

/** The text under a heading of an open delivery. */
const sent = (delivery: Locator, heading: string) =>
	delivery.getByRole('figure', { name: heading }).locator('pre').innerText();

test('a delivery shows its request without secrets, and its response, and is delivered again until its endpoint is removed', async () => {
	const viewport = { width: 1000, height: 800 };
	const page = await browser.newPage({ reducedMotion: 'reduce', viewport, deviceScaleFactor: 2 });
	await page.goto(sandbox.pageUrl);
	await page.getByText('Connected', { exact: true }).waitFor();
	const endpoint = page.locator('#endpoints').getByRole('listitem');
	await endpoint.getByText('call.completed', { exact: true }).waitFor();
	await page.getByRole('button', { name: 'Simulate a call' }).click();
	const delivery = page.locator('#deliveries > li').first();
	await delivery.getByText('Delivered, 200').waitFor();
	await delivery.locator('summary').click();
	expect(JSON.parse(await sent(delivery, 'Body'))).toEqual(received[0]);
	await delivery.getByText('200 {"message":"Workflow was started"}').waitFor();
	const headers = await sent(delivery, 'Headers');
	expect(headers).toContain('content-type: application/json');
	expect(headers).toContain('webhook-signature: (hidden)');
	expect(await page.content()).not.toMatch(/token=secret|v1,/);
	const link = page.getByRole('link', { name: 'See in n8n what a call does' });
	expect(await link.getAttribute('href')).toBe(editorUrl);
	await delivery.getByRole('button', { name: 'Deliver again' }).click();
	await delivery.getByText('Delivered, 200 (attempt 2)').waitFor();
	await page.mouse.move(0, 0);
	const downTo = page.locator('#news');
	await takePicture('images/sandbox.png', [page.locator('body')], { downTo });
	const attempts = delivery.getByRole('list', { name: 'Attempts' }).getByRole('listitem');
	expect(await attempts.count()).toBe(2);
	expect(received).toEqual([received[0], received[0]]);

	for (const { id } of sandbox.endpoints()) sandbox.removeEndpoint(id);
	await delivery.getByText('an endpoint that was removed').waitFor();
	expect(await delivery.getByRole('button').count()).toBe(0);
});
