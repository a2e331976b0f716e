import { UserError, type INodeParameters } from 'n8n-workflow';

import { readSettings, type Parameters, type Settings } from '../../trigger/settings';
import { isObject } from '../../text/json';
import { readChoices } from '../../text/parameters';
import type { Item } from '../operation';

/** The choice of Event Output that takes the settings of a trigger. */
export const LIKE_TRIGGER = 'trigger';

/** The parameters of the node by those of the trigger, where they have other names. */
const OWN_PARAMETERS: Record<string, string> = { events: 'options.events', output: 'eventOutput' };

/**
 * Reads how events are chosen and shown: by the parameters of the node, or like a trigger of the workflow.
 *
 * @throws UserError for a wrong mapping or country code, and if no single trigger is found
 */
export function readEventSettings(item: Item): Settings {
	const { context, index, read } = item;
	const ownParameter: Parameters['getNodeParameter'] = (name, byDefault, options) =>
		context.getNodeParameter(OWN_PARAMETERS[name] ?? name, index, byDefault, options);
	const isLike = read('eventOutput', 'both') === LIKE_TRIGGER;
	const settings = readSettings({
		getNodeParameter: isLike ? parameterOfTrigger(item) : ownParameter,
		getTimezone: () => context.getTimezone(),
	});
	const [problem] = settings.problems;
	if (problem) throw new UserError(problem);
	const events = readChoices(read('options.events', []));
	return events.length > 0 ? { ...settings, events } : settings;
}

/** Makes a function that reads a parameter of the trigger. n8n resolves no parameters of other nodes. */
function parameterOfTrigger(item: Item): Parameters['getNodeParameter'] {
	const parameters = findTrigger(item);
	return (name, byDefault, options) => {
		const valueIn = (value: unknown, key: string) => (isObject(value) ? value[key] : undefined);
		const value = name.split('.').reduce<unknown>(valueIn, parameters) ?? byDefault;
		const isExpression = typeof value === 'string' && value.startsWith('=') && !options;
		return isExpression ? item.context.evaluateExpression(value.slice(1), item.index) : value;
	};
}

/**
 * Finds the trigger that leads to this node, or to a node behind it. n8n shows a node only the nodes before and
 * behind another one, and not their credentials.
 *
 * @throws UserError if there is none, or several with different parameters
 */
function findTrigger({ context }: Item): INodeParameters {
	const { name } = context.getNode();
	const behind = context.getChildNodes(name).map((node) => node.name);
	const triggers = [name, ...behind]
		.flatMap((node) => context.getParentNodes(node, { includeNodeParameters: true }))
		.filter(({ type }) => type.endsWith('.voiceAgentTrigger'));
	const [first] = triggers;
	if (!first) {
		throw new UserError(
			'No Voice Agent Trigger leads to the nodes behind this one, so there is none to be like. Connect this node to the nodes that the trigger leads to, or choose another Event Output.',
		);
	}
	const forms = new Set(triggers.map(({ parameters }) => JSON.stringify(parameters)));
	if (forms.size === 1) return first.parameters ?? {};
	const names = new Set(triggers.map((trigger) => trigger.name));
	throw new UserError(
		`Several triggers with different settings lead to the nodes behind this one: ${[...names].join(', ')}. Choose another Event Output, and set the options of this node.`,
	);
}
