import type { INodeTypeDescription } from 'n8n-workflow';
import { chosenLine, type Line } from './install-n8n';

/** A feature of newer lines of n8n that examples or tests need. */
export interface Feature {
	/** The lines that lack it. */
	lackedBy: Line[];
	/** Detects the feature in the node types of an n8n, if they show it. */
	isAmong?: (types: INodeTypeDescription[]) => boolean;
}

const versionsOf = (types: INodeTypeDescription[], type: string) =>
	types.filter(({ name }) => name === type).flatMap(({ version }) => version);

/**
 * The features by their names in docs/administrators.md. `test/e2e/suites/connector.ts` compares them with a real n8n
 * of each line.
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
	'Notion node for the present Notion API': { lackedBy: ['2.0', '1.123'] },
	'Mapping and publishing in the present editor': { lackedBy: ['2.0', '1.123'] },
	'Errors of a tool shown to the model': { lackedBy: ['2.0', '1.123'] },
	'Error messages of a credential itself': { lackedBy: ['2.0', '1.123'] },
} satisfies Record<string, Feature>;

export type FeatureName = keyof typeof features;

/** @returns true if the chosen line of n8n lacks a feature */
export function isLacking(feature: FeatureName): boolean {
	const { lackedBy }: Feature = features[feature];
	return lackedBy.includes(chosenLine());
}
