import { UserError } from 'n8n-workflow';

import { readSettings, type Parameters, type Settings } from '../../trigger/settings';
import type { Item } from '../operation';

/** The parameters of the node by those of the trigger, where they have other names. */
const OWN_PARAMETERS: Record<string, string> = { events: 'options.events', output: 'eventOutput' };

/**
 * Reads how events are chosen and shown.
 *
 * @throws UserError for a wrong mapping or country code
 */
export function readEventSettings({ context, index }: Item): Settings {
	const getNodeParameter: Parameters['getNodeParameter'] = (name, byDefault, options) =>
		context.getNodeParameter(OWN_PARAMETERS[name] ?? name, index, byDefault, options);
	const settings = readSettings({ getNodeParameter, getTimezone: () => context.getTimezone() });
	const [problem] = settings.problems;
	if (problem) throw new UserError(problem);
	return settings;
}
