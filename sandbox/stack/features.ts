import type { INodeTypeDescription } from 'n8n-workflow';
import type { Line } from './install-n8n';

/** Something that n8n has from some line on, and that examples or tests want. */
export interface Feature {
	/** The lines that lack it. */
	lackedBy: Line[];
	/** Tells from the node types of an n8n whether it has it, where they tell. */
	isAmong?: (types: INodeTypeDescription[]) => boolean;
}

const versionsOf = (types: INodeTypeDescription[], type: string) =>
	types.filter(({ name }) => name === type).flatMap(({ version }) => version);

/**
 * What lines of n8n lack, by what docs/n8n.md calls it. `test/e2e/connector.test.ts` asks a real n8n
 * of each line whether it is so.
 */
export const features = {
	'Tables made by the Data Table node': {
		lackedBy: ['2.0', '1.123'],
		isAmong: (types) =>
			types.some(
				({ name, properties }) =>
					name === 'n8n-nodes-base.dataTable' &&
					properties.some(
						(property) =>
							property.name === 'resource' &&
							property.options?.some((option) => 'value' in option && option.value === 'table'),
					),
			),
	},
	'Todoist node for the present Todoist API': {
		lackedBy: ['2.0', '1.123'],
		isAmong: (types) => versionsOf(types, 'n8n-nodes-base.todoist').includes(2.2),
	},
	'Pipedrive node for the present Pipedrive API': {
		lackedBy: ['2.0', '1.123'],
		isAmong: (types) => versionsOf(types, 'n8n-nodes-base.pipedrive').includes(2),
	},
	'Mapping and publishing in the present editor': { lackedBy: ['2.0', '1.123'] },
	'Errors of a tool told to the model': { lackedBy: ['2.0', '1.123'] },
	'Own words of a credential for what is wrong': { lackedBy: ['2.0', '1.123'] },
} satisfies Record<string, Feature>;

export type FeatureName = keyof typeof features;

/** Tells whether a line of n8n lacks a feature. */
export function isLacking(line: Line, feature: FeatureName): boolean {
	const { lackedBy }: Feature = features[feature];
	return lackedBy.includes(line);
}
