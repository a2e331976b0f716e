/**
 * Compares the values read from every payload, and the decision on every payload, with a snapshot. A
 * refactor changes no line of it. `npx jest golden -u` rewrites the snapshot; the commit message then
 * explains the difference.
 */
import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { FOLDERS, readMisleading, readPayloads } from '../support/events/callPayloads';
import { judged } from '../support/events/judging';

/** Leaves out what is null, so that a new detail changes the lines of its payloads only. */
const known = (_name: string, value: unknown) => value ?? undefined;
/** Shortens a transcript to its first characters and its length. */
const TRANSCRIPT_SHOWN = 80;

test('call details of every payload', () => {
	const events = [...FOLDERS.flatMap(readPayloads), ...readMisleading()];
	const read = events.map(({ service, variant, body }) => {
		const { transcript, ...details } = readCallDetails(body);
		const shown = transcript && `${transcript.length}: ${transcript.slice(0, TRANSCRIPT_SHOWN)}`;
		return `${service}, ${variant}: ${JSON.stringify({ ...details, transcript: shown }, known)}`;
	});
	expect(read).toMatchSnapshot();
});

test('the decision on every payload', () => {
	const payloads = FOLDERS.flatMap(readPayloads);
	const catalog = [...new Set(payloads.map(({ eventType }) => eventType))];
	const verdicts = payloads.map(({ service, variant, body, headers = {}, eventType }) => {
		const verdictOf = (events: string[]) => judged({ headers, body }, { events }, { catalog });
		const other = catalog.filter((type) => type !== eventType).slice(0, 1);
		const [selected, unselected] = [[eventType], other].map(verdictOf).map(describeVerdict);
		return `${service}, ${variant}: ${selected} / ${unselected}`;
	});
	expect(verdicts).toMatchSnapshot();
});

function describeVerdict(decision: ReturnType<typeof judged>): string {
	if (decision.kind !== 'accepted') return JSON.stringify({ ...decision, type: undefined });
	return `${decision.events.length} events ${decision.events.map(({ json }) => Object.keys(json).length).join()}`;
}
