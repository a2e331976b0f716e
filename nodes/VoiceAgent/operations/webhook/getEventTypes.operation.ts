import { listEventTypes } from '../../answers/eventTypes';
import { hintAtMore } from '../list';
import type { Operation } from '../operation';

/** Reads the catalog of event types, in one form whatever the service's. */
export const getEventTypes: Operation = {
	option: {
		name: 'Get Event Types',
		value: 'getEventTypes',
		description: 'Get the catalog of event types that can be subscribed to',
		action: 'Get the event types for webhooks',
	},
	fields: [],

	async execute(context, _itemIndex, deadline) {
		const { eventTypes, complete } = await listEventTypes(context, deadline());
		if (!complete) hintAtMore(context, 'eventTypes', eventTypes.length);
		return eventTypes.map(({ name, description }) => ({ name, description: description ?? null }));
	},
};
