/**
 * Freezes what is read of every payload and log record, and how every payload is judged, so that a
 * change of the code alone is known to change nothing. `npx jest golden -u` writes the snapshot anew; its
 * difference then belongs into the commit's message. The cases of `judging.test.ts` state their verdicts.
 */
import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { judge } from '../../nodes/VoiceAgent/delivery/judge';
import { readDeliveryDetails } from '../../nodes/VoiceAgent/deliveryLog/deliveryDetails';
import { FOLDERS, readMisleading, readPayloads } from '../support/callPayloads';
import { deliveryRecords } from '../support/deliveryRecords';

/** A transcript's first characters and its length stand for the whole. */
const TRANSCRIPT_SHOWN = 80;

test('call details of every payload', () => {
	const events = [...FOLDERS.flatMap(readPayloads), ...readMisleading()];
	const read = events.map(({ service, variant, body }) => {
		const { transcript, ...details } = readCallDetails(body);
		const shown = transcript && `${transcript.length}: ${transcript.slice(0, TRANSCRIPT_SHOWN)}`;
		return `${service}, ${variant}: ${JSON.stringify({ ...details, transcript: shown })}`;
	});
	expect(read).toMatchSnapshot();
});

test('the verdict on every payload', () => {
	const payloads = FOLDERS.flatMap(readPayloads);
	const catalog = [...new Set(payloads.map(({ eventType }) => eventType))];
	const verdicts = payloads.map(({ service, variant, body, headers = {}, eventType }) => {
		const verdictOf = (events: string[]) =>
			judge(
				{ headers, query: {}, rawBody: Buffer.alloc(0), body },
				{ catalog, secrets: [], manual: false, now: 0 },
				{ events, verification: { scheme: 'none' }, callDetails: false, deliveryDetails: false },
			);
		const other = catalog.filter((type) => type !== eventType).slice(0, 1);
		const [selected, unselected] = [[eventType], other].map(verdictOf).map(describeVerdict);
		return `${service}, ${variant}: ${selected} / ${unselected}`;
	});
	expect(verdicts).toMatchSnapshot();
});

function describeVerdict(verdict: ReturnType<typeof judge>): string {
	if (verdict.kind !== 'accepted') return JSON.stringify(verdict);
	return `${verdict.events.length} events ${verdict.events.map(({ json }) => Object.keys(json).length).join()}`;
}

test('the details of every log record', () => {
	const read = deliveryRecords.map(
		({ form, record }) => `${form}: ${JSON.stringify(readDeliveryDetails(record, { id: 'we_1' }))}`,
	);
	expect(read).toMatchSnapshot();
});
