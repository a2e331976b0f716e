import { bindingOf } from '../../nodes/VoiceAgent/auth/token';
import { operations } from '../../nodes/VoiceAgent/operations/operations';
import { FIELDS, run, sandbox, UNKNOWN_ID, useFailures } from '../support/service/failures';
import { NodeInWorkflow } from '../support/n8n/core';
import { N8nLifecycle } from '../support/n8n/lifecycle';

// n8n-core reads them at its first request.
Object.assign(process.env, {
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SSRF_BLOCKED_HOSTNAMES: 'localhost',
});

useFailures();

const cases = Object.entries(operations).flatMap(([resource, named]) =>
	Object.entries(named)
		.filter(([, operation]) => !('isLocal' in operation) && !('executeAll' in operation))
		.map(([operation]) => ({ resource, operation })),
);

/** Asserts that a call ends at once, with the reason and without a request. */
async function expectBlocked(call: () => Promise<unknown>): Promise<void> {
	const begin = performance.now();
	const message = await call().then(
		(value) => JSON.stringify(value),
		(error: Error) => error.message,
	);
	expect(performance.now() - begin).toBeLessThan(2_000);
	expect(message).toContain("n8n's protection against SSRF blocks the service's address");
	expect(message).toMatch(/Base URL.* N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES/);
	expect(message).not.toContain('may have carried out');
	expect(sandbox.requests).toEqual([]);
}

describe.each(['127.0.0.1', 'localhost'])('the blocked address %s', (host) => {
	const given = () => ({ baseUrl: sandbox.baseUrl.replace('127.0.0.1', host) });

	// Promise: If n8n's SSRF protection blocks the service, each call says so at once, and none is repeated.
	test.each(cases)('$resource $operation', async (operation) => {
		await expectBlocked(async () => await run({ ...FIELDS, ...operation }, { given: given() }));
	});

	test('a publish, and the fourth failed poll in a row', async () => {
		const everyMinute = { item: [{ mode: 'everyMinute' }] };
		const parameters = { events: ['call.completed'], pollTimes: everyMinute };
		const blocked = { ...sandbox.credential, ...given() };
		const node = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters,
			credential: blocked,
		});
		const lifecycle = new N8nLifecycle(node);
		await expectBlocked(async () => await lifecycle.publish(parameters));

		// It was published before the protection was switched on.
		const url = node.webhookUrl();
		const instance = node.executeContext().getInstanceId();
		const binding = bindingOf('production', node.workflowId, url);
		const owner = [blocked.baseUrl, instance, binding].join(' ');
		lifecycle.become({ owner, endpoints: [{ id: UNKNOWN_ID, url }], events: parameters.events });
		lifecycle.isActivated = true;
		await lifecycle.start();
		for (let poll = 1; poll < 5; poll++) expect(await lifecycle.poll()).toEqual([]);
		await expectBlocked(async () => {
			const [failed] = await lifecycle.poll();
			throw failed as Error;
		});
	});
});
