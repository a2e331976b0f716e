import type { IncomingHttpHeaders } from 'node:http';

import axios, { type AxiosInstance } from 'axios';
import fastify from 'fastify';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/service';
import { makeCertificate, type Certificate } from '../../../sandbox/stack/certificates';

export const unknownId = '00000000-0000-4000-8000-000000000000';

/** A request that the receiver received. */
interface Delivered {
	path: string;
	headers: IncomingHttpHeaders;
	body: string;
}

/** The receiver of the sandbox's deliveries. */
export const receiver = {
	/** The requests of a test. */
	delivered: [] as Delivered[],
	/** The statuses of the next responses; then 200. */
	statuses: [] as number[],
};

/** The receiver's URL. */
export let hook: string;

/** The sandbox of a test, and a client of its API that has the administrator's key. */
export let sandbox: Sandbox;
export let api: AxiosInstance;

let certificate: Certificate;

/** Starts the receiver of a test file, and stops the sandbox after each test. */
export function useSandbox(): void {
	let stop: () => Promise<void>;

	beforeAll(async () => {
		certificate = await makeCertificate();
		const { key, cert } = certificate;
		const app = fastify({ https: { key, cert }, forceCloseConnections: true });
		app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
			done(null, body),
		);
		app.removeContentTypeParser('application/json');
		app.all('*', async ({ url, headers, body }, reply) => {
			receiver.delivered.push({ path: url, headers, body: body as string });
			return await reply.code(receiver.statuses.shift() ?? 200).send('answer to POST');
		});
		hook = `${await app.listen({ host: '127.0.0.1', port: 0 })}/hook`;
		stop = async () => await app.close();
	});

	afterAll(() => stop());

	beforeEach(() => {
		Object.assign(receiver, { delivered: [], statuses: [] });
	});

	afterEach(() => sandbox.stop());
}

/** Starts the sandbox of a test. */
export async function begin(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({ retryScale: 0.01, ca: certificate.ca, ...options });
	api = client({ 'x-api-key': sandbox.adminKey });
}

/** @returns a client of the sandbox's API that does not throw */
export function client(headers: Record<string, string>): AxiosInstance {
	return axios.create({ baseURL: sandbox.baseUrl, headers, validateStatus: () => true });
}
