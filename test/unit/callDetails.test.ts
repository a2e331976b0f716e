import { readCallDetails, withCallDetails } from '../../nodes/VoiceAgent/trigger/callDetails';
import { FIELDS, judge, readPayloads, type ExpectedField } from '../support/callPayloads';

describe.each(['documented'])('payloads: %s', (folder) => {
	test('no value is wrong, and at least 95 of 100 are found', () => {
		let [found, toFind] = [0, 0];
		const wrong: string[] = [];
		for (const { service, variant, body, expected } of readPayloads(folder)) {
			const details = readCallDetails(body);
			for (const field of Object.keys(FIELDS) as ExpectedField[]) {
				if (!(field in expected)) continue;
				const read = FIELDS[field](details);
				const judgement = judge(field, expected[field], read);
				if (judgement === 'found') found++;
				if (judgement === 'found' || judgement === 'missed') toFind++;
				if (judgement === 'wrong') {
					wrong.push(`${service}, ${variant}: ${field} is ${JSON.stringify(read)}`);
				}
			}
		}
		expect(wrong).toEqual([]);
		expect(found / toFind).toBeGreaterThanOrEqual(0.95);
	});
});

test('call details come first, and an event keeps a field of that name of its own', () => {
	const { json, field } = withCallDetails({ callDetails: 'its own', callDetails_1: 2, id: 1 });
	expect(field).toBe('callDetails_2');
	expect(Object.keys(json)).toEqual(['callDetails_2', 'callDetails', 'callDetails_1', 'id']);
	expect(json).toMatchObject({ callDetails: 'its own', callDetails_1: 2, id: 1 });
});
