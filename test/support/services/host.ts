import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Answer } from './answers';
import type { Service } from './grammar';
import { DrawnService } from './service';

/** One server for all drawn services, each below a path of its own. */
export class ServiceHost {
	private readonly services = new Map<string, DrawnService>();

	private constructor(private readonly server: Server) {}

	static async start(): Promise<ServiceHost> {
		const server = createServer({ keepAlive: true });
		const host = new ServiceHost(server);
		server.on('request', (request, response) => {
			void host.handle(request).then(({ status, headers, text }) => {
				response.writeHead(status, headers).end(status === 204 ? undefined : text);
			});
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return host;
	}

	/** Opens a service until it is closed. */
	open(drawn: Service, name: string): DrawnService {
		const { port } = this.server.address() as AddressInfo;
		const service = new DrawnService(drawn, `http://127.0.0.1:${port}/${name}/v1`);
		this.services.set(name, service);
		return service;
	}

	close(name: string): void {
		this.services.delete(name);
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async handle(request: IncomingMessage): Promise<Answer> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const url = new URL(request.url ?? '', 'http://127.0.0.1');
		const [, name = '', path = ''] = /^\/([^/]+)\/v1(\/.*)$/.exec(url.pathname) ?? [];
		const service = this.services.get(name);
		if (!service) return { status: 404, headers: {}, text: 'No such service' };
		const text = Buffer.concat(chunks).toString();
		return await service.answer({
			method: request.method ?? '',
			path,
			query: Object.fromEntries(url.searchParams),
			headers: request.headers,
			body: text ? (JSON.parse(text) as unknown) : undefined,
		});
	}
}
