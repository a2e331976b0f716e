import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { importExample } from '../../../sandbox/stack/example';
import { testNeeding } from '../../compat/needs';
import { root } from '../../support/documents';
import { service, stack, useService } from '../harness';

/** A rule of n8n's migration report that found something. */
interface Result {
	ruleId: string;
	ruleTitle: string;
	/** Only in the report of a single rule. */
	affectedWorkflows: Array<{ id: string }>;
}

useService();

testNeeding('Tables made by the Data Table node')(
	"n8n's own migration report for n8n 3.0 names no example",
	async () => {
		const { api } = stack.n8n;
		const { id } = service.credentials.voiceAgentApi;
		const examples = new Map<string, string>();
		for (const file of readdirSync(join(root, 'examples'))) {
			const [name = '', type] = file.split('.');
			if (type === 'json') examples.set(await importExample(api, name, id), name);
		}
		expect(examples.size).toBeGreaterThan(5);
		const path = '/breaking-changes/report';
		const { report } = await api.request<{ report: { workflowResults: Result[] } }>(
			'GET',
			path,
			undefined,
			{ version: 'v3' },
		);

		// Other suites have workflows of their own.
		const named: string[] = [];
		for (const { ruleId, ruleTitle } of report.workflowResults) {
			const { affectedWorkflows } = await api.request<Result>('GET', `${path}/${ruleId}`);
			const affected = affectedWorkflows.flatMap((workflow) => examples.get(workflow.id) ?? []);
			named.push(...affected.map((name) => `${name}: ${ruleTitle}`));
		}
		expect(named).toEqual([]);
	},
);
