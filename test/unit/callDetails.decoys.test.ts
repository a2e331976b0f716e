import type { IDataObject } from 'n8n-workflow';

import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { FOLDERS, judgeEvent, readPayloads } from '../support/events/callPayloads';
import { DECOY_CLASSES, DECOYS } from '../support/events/decoys';
import { fc, runs } from '../support/jest/random';

const CALL = { call_id: 'c1', direction: 'inbound', from: '+14155550123', to: '+493023125100' };
const UNDISTURBED = readCallDetails(CALL);

const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const decoys = DECOY_CLASSES.flatMap((kind) =>
	Object.entries(DECOYS[kind]).map(([name, value]) => ({ kind, name, value })),
);

// Promise: An object that is not of the call gives no value.
test.each(decoys.map((decoy) => [decoy.kind, decoy.name, decoy.value] as const))(
	'%s: nothing is read from %s',
	(_, name, value) => {
		const events: Record<string, IDataObject> = {
			'beside the call': { ...CALL, [name]: value },
			'before the call': { [name]: value, ...CALL },
			'in camel case': { ...CALL, [camel(name)]: value },
			'in a list': { ...CALL, [name]: [value] },
			'in an envelope': { data: { call: { ...CALL, [name]: value } } },
			'beside an envelope': { [name]: value, payload: CALL },
		};
		const read = Object.entries(events).map(([place, event]) => [place, readCallDetails(event)]);
		expect(read).toEqual(Object.keys(events).map((place) => [place, UNDISTURBED]));
	},
);

const payloads = FOLDERS.flatMap(readPayloads).map((payload) => ({
	payload,
	before: judgeEvent(payload).found,
}));

test.each(DECOY_CLASSES)(
	'beside real payloads, no value is wrong and few values go: %s',
	(kind) => {
		const choices = fc.record({
			of: fc.constantFrom(...payloads),
			chosen: fc.subarray(Object.entries(DECOYS[kind]), { minLength: 1, maxLength: 4 }),
			isCamel: fc.boolean(),
			isInside: fc.boolean(),
			isFirst: fc.boolean(),
		});
		let [kept, total] = [0, 0];
		fc.assert(
			fc.property(choices, ({ of: { payload, before }, chosen, isCamel, isInside, isFirst }) => {
				const named = chosen.map(([name, value]) => [isCamel ? camel(name) : name, value]);
				const added = Object.fromEntries(named) as IDataObject;
				const body = add(payload.body, added, isInside, isFirst);
				const { found, wrong } = judgeEvent({ ...payload, body });
				expect({ wrong, body }).toEqual({ wrong: [], body });
				total += before.length;
				kept += before.filter((field) => found.includes(field)).length;
			}),
			{ numRuns: runs(150) },
		);
		expect(kept / total).toBeGreaterThanOrEqual(0.95);
	},
);

/** Adds fields to an event, or to its largest object, and overwrites none. */
function add(
	event: IDataObject,
	fields: IDataObject,
	isInside: boolean,
	isFirst: boolean,
): IDataObject {
	const size = (value: unknown) =>
		typeof value === 'object' && value !== null && !Array.isArray(value)
			? Object.keys(value).length
			: 0;
	const [name, inner] = Object.entries(event).sort(([, a], [, b]) => size(b) - size(a))[0] ?? [];
	if (isInside && name !== undefined && size(inner) > 3) {
		return { ...event, [name]: add(inner as IDataObject, fields, isInside, isFirst) };
	}
	return isFirst ? { ...fields, ...event } : { ...event, ...fields, ...event };
}
