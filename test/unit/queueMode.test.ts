import { parseDocument } from 'yaml';

import { queueMode } from '../scale/environment';
import { read } from '../support/documents';

interface Service {
	build?: string;
	image: string;
	command?: string | string[];
	restart: string;
	environment: Record<string, string>;
	depends_on?: Record<string, { condition: string }>;
}

const folder = 'examples/queue-mode';
const document = parseDocument(read(`${folder}/compose.yaml`), { merge: true });
const { services } = document.toJS() as { services: Record<string, Service> };
const parts = Object.entries(services).filter(([, { build }]) => build !== undefined);

/** The environment of the processes of `npm run test:scale`. */
const proven = queueMode({
	postgresql: { port: 5432, user: 'n8n', password: 'secret' },
	redis: { port: 6379, password: 'secret' },
	encryptionKey: 'secret',
});

test('the example of queue mode is valid YAML, with every kind of process', () => {
	expect([...document.errors, ...document.warnings]).toEqual([]);
	expect(parts.map(([name, { command }]) => [name, command])).toEqual([
		['main', undefined],
		['webhook-1', 'webhook'],
		['webhook-2', 'webhook'],
		['worker', 'worker'],
	]);
	for (const server of ['postgresql', 'redis', 'load-balancer']) {
		expect(services[server]?.image).toMatch(/^[a-z]+:\d+$/);
	}
});

test.each(parts)('%s has the connector and the environment that was tried', (name, service) => {
	expect(service).toMatchObject({ build: '.', restart: 'unless-stopped' });
	expect(service.depends_on).toMatchObject({ postgresql: {}, redis: {} });
	const { environment } = service;
	const { N8N_WEBHOOK_URL, N8N_PROXY_HOPS, QUEUE_HEALTH_CHECK_ACTIVE, ...rest } = environment;
	expect(Object.keys(rest).sort()).toEqual(Object.keys(proven).sort());
	for (const [variable, value] of Object.entries(proven)) {
		if (value === 'secret') expect(rest[variable]).toMatch(/^\$\{[A-Z0-9_]+:\?.+\}$/);
		else if (value !== '127.0.0.1') expect([variable, rest[variable]]).toEqual([variable, value]);
		else expect(Object.keys(services)).toContain(rest[variable]);
	}
	expect(N8N_WEBHOOK_URL).toMatch(/^https:/);
	expect(N8N_PROXY_HOPS).toBe('1');
	expect(QUEUE_HEALTH_CHECK_ACTIVE).toBe(name === 'worker' ? 'true' : undefined);
});

test('the image has the tested n8n, and the connector in the folder for packages', () => {
	const { dependencies } = JSON.parse(read('sandbox/n8n/2.41/package.json')) as {
		dependencies: { n8n: string };
	};
	const { name } = JSON.parse(read('package.json')) as { name: string };
	const image = read(`${folder}/Dockerfile`);
	expect(image).toContain(`n8n:${dependencies.n8n}\n`);
	expect(image).toContain('/home/node/.n8n/nodes');
	expect(image).toContain(`COPY ${name}-*.tgz /tmp/connector.tgz\n`);
	expect(image).toMatch(/npm install .*\/tmp\/connector\.tgz\n/);
});

test('the load balancer sends deliveries to each ready webhook processor', () => {
	const [, deliveries = ''] = /reverse_proxy \/webhook\/\* (.*) \{/.exec(
		read(`${folder}/Caddyfile`),
	) ?? [''];
	const processors = parts.filter(([, { command }]) => command === 'webhook');
	expect(deliveries.split(' ')).toEqual(processors.map(([name]) => `${name}:5678`));
	expect(read(`${folder}/Caddyfile`)).toContain('health_uri /healthz/readiness');
});
