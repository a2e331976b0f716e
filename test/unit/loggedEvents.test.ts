/** Events of the service's log, read as if they came now. */
import { commonTypeOf, type ReceivedEvent } from '../../nodes/VoiceAgent/delivery/item';
import { decideLogged } from '../../nodes/VoiceAgent/delivery/decide';
import type { LoggedEvent } from '../../nodes/VoiceAgent/log/missed';
import type { DeliverySettings } from '../../nodes/VoiceAgent/trigger/settings';
import { CALL, COMPLETED, FAILED } from '../support/events/judging';

const SETTINGS: DeliverySettings = {
	events: ['call.completed'],
	isPasted: false,
	onlyCalls: undefined,
	output: 'row',
	detailOptions: {},
	verifySignature: true,
	deliveryDetails: false,
};
const CATALOG = ['call.completed', 'call.failed'];

test.each<[what: string, event: object | null, type: string | null, rows: string[]]>([
	['the event has a selected type', COMPLETED, 'call.failed', ['call_81']],
	['the event has another type', FAILED, 'call.completed', []],
	['only the log states the selected type', CALL, 'call.completed', ['call_81']],
	['only the log states another type', CALL, 'call.failed', []],
	['nothing states a type', { text: 'Hello' }, null, ['evt_1']],
	['the log does not hold the event', null, 'call.completed', []],
])('where %s', (_what, event, type, rows) => {
	const details = { event, eventType: type };
	const logged = { details, identity: { type, ids: ['evt_1'] }, isMissed: true } as LoggedEvent;
	const judged = decideLogged(logged, SETTINGS, CATALOG);
	expect(judged.map(({ json }) => json.call_id)).toEqual(rows);
});

test.each<[types: Array<string | undefined>, type: string | null]>([
	[['a', 'a'], 'a'],
	[['a', 'b'], null],
	[['a', undefined], null],
])('the type of events of the types %j is %j', (types, expected) =>
	expect(commonTypeOf(types.map((type) => ({ type }) as ReceivedEvent))).toBe(expected),
);
