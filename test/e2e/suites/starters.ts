import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { type Choices, importExample } from '../../../sandbox/stack/example';
import { tableNamed } from '../../support/dataTables';
import { type Mailbox, startMailbox } from '../../support/mailbox';
import { recordingExamples, sheets } from '../../support/recordingExamples';
import { addStandIns, request, service, stack, useService } from '../harness';

addStandIns(sheets.hosts);

useService();
let mailbox: Mailbox;
beforeAll(async () => {
	mailbox = await startMailbox();
	await sheets.reset([]);
});
afterAll(() => mailbox?.stop());

const fromEmail = 'n8n@example.com';
const toEmail = 'office@example.com';

/** @returns the choices of a person in a node */
async function chosen(
	node: string,
	type: string,
	fields: IDataObject,
	parameters?: INodeParameters,
): Promise<Choices> {
	const credentials = await stack.n8n.api.newCredentials(type, fields);
	return { [`n8n-nodes-base.${node}`]: { parameters, credentials } };
}

/** Publishes a starter. @returns how to deliver an event to it */
async function publish(name: string, choices: Choices) {
	const { api } = stack.n8n;
	const voiceAgent = service.credentials.voiceAgentApi.id;
	const workflowId = await importExample(api, name, voiceAgent, choices);
	await api.publish(workflowId);
	const endpoint = service.sandbox.endpoints().at(-1);
	return {
		deliver: async (body: object, headers?: Record<string, string>) => {
			expect((await request(stack, endpoint?.url ?? '', body, headers)).status).toBe(200);
		},
		unpublish: async () => await api.unpublish(workflowId),
	};
}

const event = (more: IDataObject) => ({ event: 'call.completed', ...more });
const ends = { direction: 'inbound', from: '+14155550187', to: '+14155550100' };
const times = { started_at: '2026-11-20T12:00:00.000Z', duration_seconds: 61 };
const customer = { customer_name: 'Ada Lovelace', customer_email: 'ada@example.com' };
const complete = event({
	...{ call_id: 'call_1', ...ends, ...times, ...customer, outcome: 'booked' },
	...{ summary: 'Ada booked a demo.', recording_url: 'https://example.com/1.mp3' },
});
const row = {
	...{ call_id: 'call_1', started_at: times.started_at, phone: ends.from, name: 'Ada Lovelace' },
	...{ email: 'ada@example.com', direction: 'inbound', seconds: 61, outcome: 'booked' },
	...{ summary: 'Ada booked a demo.', recording_url: 'https://example.com/1.mp3' },
};

/** A call with little about it, and a later event of that call. */
const sparse = event({ call_id: 'call_2', ...ends, ...times });
const later = event({ call_id: 'call_2', ...ends, summary: 'Later.' });
const sent = { from: fromEmail, to: toEmail };

const text = [row.outcome, row.summary, `${row.started_at}\n${row.recording_url}\n`].join('\n\n');
const ofNobody = { call_id: expect.stringMatching(/^\d+$/) as string, phone: null, summary: null };

/** A starter, and what the calls become: a complete one, one of nobody, and one of two events. */
interface Starter {
	name: string;
	/** The choices of a person in its nodes. */
	choose?: () => Promise<Choices>;
	/** @returns what the workflow made of the calls, newest last */
	read: () => object[] | Promise<object[]>;
	of: object;
	ofNobody: object;
	ofTwoEvents: object[];
}

const starters: Starter[] = [
	{
		name: 'call-to-email',
		choose: () => chosen('emailSend', 'smtp', mailbox.credential, { fromEmail, toEmail }),
		read: () => mailbox.take(),
		of: { ...sent, subject: `Call: ${row.name} ${row.phone}`, text },
		ofNobody: { ...sent, subject: 'Call:  ', text: '\n\n\n\n\n' },
		ofTwoEvents: [{ text: `\n\n\n\n${times.started_at}\n` }, { text: '\n\nLater.\n\n\n' }],
	},
	{
		name: 'calls-to-google-sheets-log',
		async choose() {
			const { credential, parameters } = recordingExamples.find(({ crm }) => crm === sheets) ?? {};
			const { type = '', fields = {} } = credential ?? {};
			return await chosen('googleSheets', type, fields, parameters);
		},
		read: () => sheets.rows('Call log'),
		of: row,
		ofNobody,
		ofTwoEvents: [{ started_at: times.started_at, summary: 'Later.' }],
	},
	{
		name: 'calls-to-data-table-log',
		read: () => tableNamed(stack.n8n.api, 'Call log').rows(),
		of: row,
		ofNobody,
		// A second event clears what it does not state, as the note says.
		ofTwoEvents: [{ phone: ends.from, summary: 'Later.' }],
	},
];

test.each(starters)(
	'$name makes one row or message of a call, without a word for a missing value',
	async ({ name, choose, read, ...expected }) => {
		const { deliver, unpublish } = await publish(name, (await choose?.()) ?? {});
		const once = { 'x-delivery-id': 'twice' };
		await Promise.all([deliver(complete, once), deliver(complete, once)]);
		expect(await read()).toMatchObject([expected.of]);
		await deliver(event({ direction: 'inbound', from: 'anonymous' }));
		expect((await read()).at(-1)).toMatchObject(expected.ofNobody);
		await deliver(sparse);
		await deliver(later);
		const newest = (await read()).slice(-expected.ofTwoEvents.length);
		expect(newest).toMatchObject(expected.ofTwoEvents);
		await unpublish();
	},
);
