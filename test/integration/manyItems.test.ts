import { randomUUID } from 'node:crypto';

import type { INodeParameters, NodeApiError } from 'n8n-workflow';

import type { Fault } from '../../sandbox/service';
import { MAY_BE_DONE, run, sandbox, status, useFailures } from '../support/service/failures';
import { fc } from '../support/jest/random';

// The node's waits pass at once, and its clock jumps by their length.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/skippedWaits'));

useFailures();

describe('many items', () => {
	const COUNT = 50;
	const items = Array.from({ length: COUNT }, (_item, index) => ({ index }));
	const eachItem = items.map((_item, item) => ({ item }));
	const continueOnError = { onError: 'continueRegularOutput', continueOnFail: true } as const;
	const createKeys = (batch: string) => ({
		resource: 'apiKey',
		operation: 'create',
		name: `={{ "${batch} " + $json.index }}`,
		scopes: [],
	});
	/** The indexes of the items whose keys exist, sorted. */
	const createdIn = (batch: string) =>
		sandbox
			.keys()
			.map(({ name }) => name.split(' '))
			.filter(([name]) => name === batch)
			.map(([, index]) => Number(index))
			.sort((a, b) => a - b);
	const failureOf = async (parameters: INodeParameters) =>
		(await run(parameters, { items }).catch((error: unknown) => error)) as NodeApiError;

	const anyFault = fc.option(
		fc.constantFrom<Fault>(
			...(['drop-before', 'drop-after', 'cut', 'empty', 'html'] as const).map((kind) => ({ kind })),
			{ kind: 'slow', ms: 5 },
			...[400, 429, 500, 503].map((code) => status(code)),
			status(429, '0'),
			status(503, '1'),
		),
		{ nil: undefined, freq: 1 },
	);
	/** A fault, or none, for each request. */
	const anyFaults = fc.array(anyFault, { minLength: COUNT, maxLength: COUNT * 2 });

	// Promise: Output keeps the order of the input, and each item fails by itself.
	test('each item fails by itself, in its own place, and no key is created twice', async () => {
		await fc.assert(
			fc.asyncProperty(anyFaults, async (chosen) => {
				const batch = randomUUID();
				let request = 0;
				sandbox.fault = () => chosen[request++];
				const output = await run(createKeys(batch), { items, settings: continueOnError });
				sandbox.fault = undefined;

				expect(output.map(({ pairedItem }) => pairedItem)).toEqual(eachItem);
				const created = createdIn(batch);
				expect(new Set(created).size).toBe(created.length);
				for (const [index, { json }] of output.entries()) {
					if (!json.error) {
						expect(json.name).toBe(`${batch} ${index}`);
						expect(created).toContain(index);
					} else if (created.includes(index)) {
						expect(json.error).toContain(MAY_BE_DONE);
					}
				}
			}),
			{ numRuns: 10 },
		);
	}, 60_000);

	test('the first failure ends the run, and its error tells of the items before', async () => {
		let request = 0;
		sandbox.fault = () => (++request === 8 ? status(409) : undefined);
		const error = await failureOf(createKeys('First'));
		expect(error.message).toContain('refused the request');
		const created = createdIn('First');
		expect(created).toEqual([0, 1, 2, 3, 4, 5, 6]);
		expect(error.description).toContain('The items before this one were processed. ');
		expect(error.description).toContain(
			'its secret is lost: delete or revoke it, and run these items again',
		);
		expect(error.context.itemIndex).toBe(7);
	});

	test('the error keeps the message and the item of any failure', async () => {
		const webhooks = { resource: 'webhook', operation: 'create', events: ['*'] };
		const url =
			'={{ $json.index < 10 ? "https://crm.example.com/" + $json.index : "https://crm.example.com/?key=***" }}';
		const refused = await failureOf({ ...webhooks, url });
		expect(refused.message).toContain("'URL' must be complete");
		expect(refused.description).toMatch(/were processed.* secret is lost/);
		expect(refused.context.itemIndex).toBe(10);

		sandbox.fault = () => status(401);
		const first = await failureOf(createKeys('Fourth'));
		expect(first.message).toContain('The API key was not accepted');
		expect(first.description).not.toContain('were processed');
		expect(first.context.itemIndex).toBe(0);
	});
});
