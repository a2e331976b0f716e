import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { VoiceAgentApi } from '../../credentials/VoiceAgentApi.credentials';
import { operations, actionProperties } from '../../nodes/VoiceAgent/operations/operations';
import { properties as triggerProperties } from '../../nodes/VoiceAgent/trigger/properties';
import { firstCells, read, sectionOf } from '../support/documents';

const ACTION = 'docs/voice-agent.md';
const TRIGGER = 'docs/voice-agent-trigger.md';

type Nested = NonNullable<INodeProperties['options']>[number];

/** The parameters that the editor offers, also nested ones, without notices and containers. */
function parametersOf(offered: Nested[]): INodeProperties[] {
	return offered.flatMap((one) => {
		if ('values' in one) return parametersOf(one.values);
		if (!('displayName' in one) || one.type === 'notice') return [];
		const nested = parametersOf(one.options ?? []);
		return one.name === 'options' ? nested : [one, ...nested];
	});
}

const namesOf = (properties: INodeProperties[]) => [
	...new Set(parametersOf(properties).map(({ displayName }) => displayName)),
];
/** A row may name several parameters. */
const rowsOf = (page: string, heading: string) =>
	firstCells(sectionOf(read(page), heading) ?? '').flatMap((cell) => cell.split(', '));

// Promise: The page of the trigger describes each parameter.
test('the page of the trigger has a row for each parameter, with its fields, and for nothing else', () => {
	const section = sectionOf(read(TRIGGER), '## Parameters') ?? '';
	const shown = triggerProperties
		.flatMap((one) => (one.name === 'options' ? (one.options as INodeProperties[]) : one))
		.filter(({ type }) => type !== 'notice');
	expect(shown.length).toBeGreaterThan(8);
	expect(firstCells(section).sort()).toEqual(shown.map(({ displayName }) => displayName).sort());
	for (const property of shown) {
		const [row] = new RegExp(`^\\| ${property.displayName} \\|.*`, 'm').exec(section) ?? [];
		const [, ...fields] = namesOf([property]);
		for (const field of fields) expect(row).toContain(`**${field}**`);
	}
});

// Promise: The page of the action describes each operation.
test('the page of the action has a section for each operation, with a row for each parameter or input', () => {
	const resources = actionProperties.find(({ name }) => name === 'resource')
		?.options as INodePropertyOptions[];
	const documented = resources.flatMap(({ name, value }) =>
		Object.values(operations[String(value)] ?? {}).map((operation) => ({
			heading: `### ${name}: ${operation.name}`,
			rows: [...namesOf(operation.fields), ...(operation.inputs ?? [])].sort(),
		})),
	);
	expect(documented.length).toBeGreaterThan(8);
	expect(
		documented.map(({ heading }) => ({ heading, rows: rowsOf(ACTION, heading).sort() })),
	).toEqual(documented);
	const headings = [...read(ACTION).matchAll(/^### .*$/gm)].map(([heading]) => heading);
	expect(headings.sort()).toEqual(documented.map(({ heading }) => heading).sort());
	expect(rowsOf(ACTION, '## Parameters')).toEqual(['Resource', 'Operation']);
});

test('the page of the action has a row for each field of the credential', () => {
	expect(rowsOf(ACTION, '## Credential')).toEqual(namesOf(new VoiceAgentApi().properties));
});
