import { listEventTypes } from '../../lists/requestList';
import { hintAtIncompleteList } from '../getMany';
import type { Operation } from '../operation';

/** Reads the catalog of event types. The form of the output does not depend on the service. */
export const getEventTypes: Operation = {
	name: 'Get Event Types',
	description: 'Get the names and descriptions of all events that webhooks can receive',
	action: 'Get event types',
	fields: [],

	async execute(item) {
		const { value, complete } = await listEventTypes(item.context, item.deadline);
		if (!complete) hintAtIncompleteList(item, 'eventTypes', value.length);
		return value.map(({ name, description }) => ({ name, description: description ?? null }));
	},
};
