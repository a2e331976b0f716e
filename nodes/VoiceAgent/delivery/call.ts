import { holdsCall } from '../callDetails/callDetails';
import { isObject } from '../matcher/fields';

/** Fields that only an event of a call has, also without any value that call details can read. */
const FIELD_OF_CALL = /^(call(?!back)|conversation|session|transcript|summary)/i;

/**
 * Tests whether a body holds something of a call, wider than call details do: a probe, a challenge and
 * a batch are certain only without. `{"call": {"id": 7}}` → true
 */
export function isOfCall(body: unknown): boolean {
	if (!isObject(body)) return false;
	const holders = [body, ...Object.values(body).filter(isObject)];
	return (
		holders.some((holder) => Object.keys(holder).some((name) => FIELD_OF_CALL.test(name))) ||
		holdsCall(body)
	);
}
