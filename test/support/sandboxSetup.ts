import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import axios, { type AxiosInstance } from 'axios';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/service';
import { makeCertificate, type Certificate } from '../../sandbox/stack/certificates';

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
	let server: Server;

	beforeAll(async () => {
		certificate = await makeCertificate();
		const { key, cert } = certificate;
		server = createServer({ key, cert }, (request, response) => {
			void text(request).then((body) => {
				receiver.delivered.push({ path: request.url ?? '', headers: request.headers, body });
				response.writeHead(receiver.statuses.shift() ?? 200).end('answer to POST');
			});
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		hook = `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
	});

	afterAll(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});

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

/** Creates a record. @returns the response body */
export async function created(
	body: object,
	path = '/webhooks',
): Promise<Record<'id' | 'key' | 'secret' | 'signing_key', string>> {
	const { data } = await api.post<Awaited<ReturnType<typeof created>>>(path, body);
	return data;
}

/** @throws an Error unless the receiver received exactly one request */
export function onlyDelivery(): Delivered {
	const [only, ...others] = receiver.delivered;
	if (!only || others.length > 0) {
		throw new Error(`The receiver received ${receiver.delivered.length} deliveries`);
	}
	return only;
}
