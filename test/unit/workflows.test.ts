import { parse } from 'yaml';

import { lines } from '../../sandbox/stack/install-n8n';
import { filesEndingIn, read } from '../support/documents';

interface Workflow {
	permissions: Record<string, string>;
	jobs: Record<
		string,
		{
			permissions?: Record<string, string>;
			steps: Array<{ uses?: string; with?: Record<string, unknown> }>;
		}
	>;
}

/** The workflows, parsed. An invalid one fails all tests. */
const workflows = filesEndingIn('.yml', '.yaml')
	.filter((file) => file.startsWith('.github/workflows/'))
	.map((file) => ({ file, text: read(file), workflow: parse(read(file)) as Workflow }));
const steps = workflows.flatMap(({ workflow }) =>
	Object.values(workflow.jobs).flatMap(({ steps }) => steps),
);

test('the workflow for changes runs each step of .ci/run', () => {
	const { text } = workflows.find(({ file }) => file.endsWith('/ci.yml'))!;
	const [, list = ''] = read('.ci/run').split('steps.mjs');
	const asked = [...list.matchAll(/^\t'?((?:node )?[\w:/.-]+)/gm)].map(([, step]) => step);
	expect(asked.length).toBeGreaterThan(8);
	const run = [...text.matchAll(/run: (?:npm run |npm )?((?:node )?[\w:/.-]+)/g)];
	expect(run.map(([, step]) => step)).toEqual(expect.arrayContaining(asked));
	const olderLines = lines.slice(1).map((line) => `'${line}'`);
	expect(text).toContain(`n8n: [${olderLines.join(', ')}]`);
});

test('every action is pinned to a commit and names its version', () => {
	const uses = workflows.flatMap(({ text }) =>
		[...text.matchAll(/uses: (.*)/g)].map(([, it]) => it),
	);
	expect(uses.length).toBe(steps.filter(({ uses }) => uses).length);
	expect(
		uses.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action ?? '')),
	).toEqual([]);
});

test('workflows have no secrets and only read; publishing may also write its identity token', () => {
	for (const { file, text, workflow } of workflows) {
		expect(text).not.toMatch(/secrets\.|_TOKEN|pull_request_target/);
		const granted = [
			workflow.permissions,
			...Object.values(workflow.jobs).map(({ permissions = {} }) => permissions),
		].flatMap((permissions) => Object.entries(permissions));
		const beyondReading = granted.filter(([, level]) => level !== 'read');
		expect([file, beyondReading]).toEqual([
			file,
			file.endsWith('publish.yml') ? [['id-token', 'write']] : [],
		]);
	}
	const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
	expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(
		checkouts.map(() => false),
	);
});
