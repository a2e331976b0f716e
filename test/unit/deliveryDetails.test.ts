import type { IDataObject } from 'n8n-workflow';

import { findList } from '../../nodes/VoiceAgent/lists/lists';
import { readAttempt } from '../../nodes/VoiceAgent/log/attempts';
import { deliveryRecords, type DeliveryRecord } from '../support/service/deliveryRecords';
import { STYLES } from '../support/events/eventTypes';
import { fc, runs } from '../support/jest/random';

const endpoint = { id: 'we_1' };
const NAMES = `id webhookUrl eventType time status succeeded response error attempt event`;
const nothing = {
	...Object.fromEntries(NAMES.split(' ').map((name) => [name, null])),
	endpointId: 'we_1',
};

test.each(deliveryRecords)('the details of a record $form', ({ record, details }) => {
	expect(readAttempt(record, endpoint).details).toEqual({ ...nothing, ...details });
});

type Spelling = (typeof STYLES)[number];

const spelled = (name: string, spelling: Spelling) =>
	spelling(
		(name.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase()),
	);

/** Spells the names of the log in another way, but not the names in the event and in the response. */
function respell({ record, details }: DeliveryRecord, spelling: Spelling): IDataObject {
	const left = [details.response, JSON.stringify(details.event)];
	const within = (value: unknown): unknown => {
		if (typeof value !== 'object' || value === null) return value;
		if (left.includes(JSON.stringify(value))) return value;
		if (Array.isArray(value)) return value.map(within);
		return Object.fromEntries(
			Object.entries(value).map(([name, entry]) => [spelled(name, spelling), within(entry)]),
		);
	};
	return within(record) as IDataObject;
}

/** Fields beside a delivery with names like those of its details. */
const noise: IDataObject = {
	team: { id: 't-1', status: 'failed', url: 'https://team.example.com/', attempt: 9, code: 418 },
	settings: { max_attempts: 9, status: 'disabled', response_status: 418, error: 'none yet' },
	max_attempts: 9,
	retry_limit: 9,
	next_retry_at: '2027-01-01T00:00:00Z',
	scheduled_for: '2027-01-01T00:00:00Z',
	updated_at: '2027-01-01T00:00:00Z',
	retryable: true,
	is_test: false,
	redelivery: false,
	latency_ms: 200,
	response_time_ms: 404,
	call_status: 'failed',
	source_url: 'https://api.example.com/',
	signature: 'sha256=00',
	tags: ['failed'],
};
/** Adds fields to a record, inside its envelopes. */
function withBeside(record: IDataObject, added: IDataObject, isFirst: boolean): IDataObject {
	const [[name, inner] = ['', undefined], ...others] = Object.entries(record);
	if (others.length === 0 && typeof inner === 'object') {
		return { [name]: withBeside(inner as IDataObject, added, isFirst) };
	}
	return isFirst ? { ...added, ...record } : { ...record, ...added };
}

const wrappers = ['data', 'delivery', 'webhook_delivery', 'node', 'attributes', 'x'];

test('details are the same in other spellings, in envelopes, and beside other fields', () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...deliveryRecords),
			fc.constantFrom(...STYLES),
			fc.subarray(Object.keys(noise)),
			fc.array(fc.constantFrom(...wrappers), { maxLength: 1 }),
			fc.boolean(),
			(form, spelling, names, wrapping, isNoiseFirst) => {
				const added = Object.fromEntries(
					names.map((name) => [spelled(name, spelling), noise[name]]),
				);
				const record = respell(form, spelling);
				const noisy = withBeside(record, added, isNoiseFirst);
				const wrapped = wrapping.reduce<IDataObject>(
					(inner, name) => ({ cursor: 'abc', [spelled(name, spelling)]: inner }),
					Object.keys(form.details).length > 0 ? noisy : record,
				);
				const [entry] = findList([wrapped], 'deliveries')?.entries ?? [];
				expect(readAttempt(entry as IDataObject, endpoint).details).toEqual({
					...nothing,
					...form.details,
				});
			},
		),
		{ numRuns: runs(2_000) },
	);
});

test('the URL of the webhook has a masked query', () => {
	const url = 'https://me:pass@n8n.example.com/webhook/1?voice_agent_token=abc&x=1#top';
	const { webhookUrl } = readAttempt({ id: 'd-1' }, { id: 'we_1', url }).details;
	expect(webhookUrl).toBe('https://n8n.example.com/webhook/1?***');
});

test('a long response is shortened', () => {
	const { response } = readAttempt({ response_body: 'ab '.repeat(1_000) }, endpoint).details;
	expect(response).toMatch(/^ab ab .{190,300}…$/);
});
