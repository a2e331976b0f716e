import { parse } from 'yaml';

import { lines } from '../../sandbox/stack/install-n8n';
import { readManifest } from '../../scripts/manifest';
import { blocksOf, filesEndingIn, read, root } from '../support/documents';

interface Workflow {
	permissions: Record<string, string>;
	jobs: Record<
		string,
		{
			permissions?: Record<string, string>;
			strategy?: { matrix: Record<string, unknown[]> };
			steps: Array<{ uses?: string; run?: string; with?: Record<string, unknown> }>;
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

/** The steps of a file of `.ci`: npm scripts with their arguments, and other commands. */
function stepsOf(name: string): string[] {
	const list = read(`.ci/${name}`).split('steps.mjs').at(-1) ?? '';
	return (list.match(/'[^']+'|[\w:-]+/g) ?? []).map((step) => step.replaceAll("'", ''));
}

/** The commands of a workflow, once for each entry of its matrices. */
function commandsOf(name: string): string[] {
	const { jobs } = workflows.find(({ file }) => file.endsWith(name))!.workflow;
	return Object.values(jobs).flatMap(({ strategy, steps }) =>
		steps.flatMap(({ run = '' }) => {
			const [[key, values] = ['', ['']]] = Object.entries(strategy?.matrix ?? {});
			return values.map((value) => run.replaceAll(`\${{ matrix.${key} }}`, String(value)).trim());
		}),
	);
}

test('the workflow for changes runs each step of .ci/run', () => {
	const asked = stepsOf('run').flatMap((step) => {
		// The workflow has a job for each version of Node.js and for each line of n8n.
		const [, versions] = /^(.*node-versions\.mjs) /.exec(step) ?? [];
		if (versions) return [`${versions} 20`, `${versions} 22`];
		if (step === 'test') return ['npm test'];
		if (!step.startsWith('test:compat'))
			return [step.startsWith('node ') ? step : `npm run ${step}`];
		return [...lines.slice(1), '3.0-defaults --short'].map(
			(line) => `npm run test:compat -- --line ${line}`,
		);
	});
	expect(asked.length).toBeGreaterThan(8);
	expect(commandsOf('ci.yml')).toEqual(expect.arrayContaining(asked));
});

test('CONTRIBUTING has a line for each npm script', () => {
	const { scripts } = readManifest(root);
	const { code = '' } = blocksOf(read('CONTRIBUTING.md')).find(({ info }) => info === 'sh') ?? {};
	const named = [...code.matchAll(/^npm (?:run )?([\w:]+)/gm)].map(([, name]) => name);
	// npm runs this one itself.
	expect([...named, 'prepublishOnly'].sort()).toEqual(Object.keys(scripts).sort());
	expect(named.length).toBeLessThanOrEqual(18);
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

test('the job with the identity token runs nothing but the publication of the packed file', () => {
	const jobs = workflows.flatMap(({ workflow }) => Object.values(workflow.jobs));
	const trusted = jobs.filter(({ permissions = {} }) => 'id-token' in permissions);
	const commands = trusted.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
	expect(commands).toEqual([expect.stringMatching(/^npm publish .*tgz$/)]);
});
