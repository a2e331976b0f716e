import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { defaultDialect } from '../../../sandbox/dialects';
import { type Choices, importExample } from '../../../sandbox/stack/example';
import type { Stack } from '../../../sandbox/stack/stack';
import { tableNamed } from '../../support/dataTables';
import { type Mailbox, startMailbox } from '../../support/mailbox';
import { recordingExamples, sheets } from '../../support/recordingExamples';
import { type Service, sharedN8n, addStandIns, request, startService } from '../harness';

addStandIns(sheets.hosts);

let stack: Stack;
let service: Service;
let mailbox: Mailbox;
beforeAll(async () => {
	({ stack } = sharedN8n());
	service = await startService(stack, defaultDialect);
	mailbox = await startMailbox();
	await sheets.reset([]);
});
afterAll(async () => {
	await mailbox?.stop();
	await service?.sandbox.stop();
});

const fromEmail = 'n8n@example.com';
const toEmail = 'office@example.com';

/** The starters: what a person chooses in them, and what they made of the calls, newest last. */
const starters: Record<
	string,
	{ choose: () => Promise<Choices>; read: () => Promise<IDataObject[]> }
> = {
	'call-to-email': {
		choose: () => chosen('emailSend', 'smtp', mailbox.credential, { fromEmail, toEmail }),
		read: async () => await Promise.resolve(mailbox.take().map((email) => ({ ...email }))),
	},
	'calls-to-google-sheets-log': {
		async choose() {
			const { credential, parameters } = recordingExamples.find(({ crm }) => crm === sheets) ?? {};
			const { type = '', fields = {} } = credential ?? {};
			return await chosen('googleSheets', type, fields, parameters);
		},
		read: async () => await Promise.resolve(sheets.rows('Call log')),
	},
	'calls-to-data-table-log': {
		choose: async () => await Promise.resolve({}),
		read: async () => await tableNamed(stack.n8n.api, 'Call log').rows(),
	},
};

async function chosen(
	node: string,
	type: string,
	fields: IDataObject,
	parameters?: INodeParameters,
): Promise<Choices> {
	const id = await stack.n8n.api.createCredential(type, type, fields);
	const credentials = { [type]: { id, name: type } };
	return { [`n8n-nodes-base.${node}`]: { parameters, credentials } };
}

/** Publishes a starter. @returns how to deliver an event to it */
async function publish(name: string) {
	const { api } = stack.n8n;
	const voiceAgent = service.credentials.authorization.id;
	const choices = (await starters[name]?.choose()) ?? {};
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
/** What the calls become: a complete one, one of which nothing is known, and one of two events. */
const records: Record<string, { of: object[]; ofNobody: object; ofTwoEvents: object[] }> = {
	'call-to-email': {
		of: [{ ...sent, subject: `Call: ${row.name} ${row.phone}`, text }],
		ofNobody: { ...sent, subject: 'Call:  ', text: '\n\n\n\n\n' },
		ofTwoEvents: [{ text: `\n\n\n\n${times.started_at}\n` }, { text: '\n\nLater.\n\n\n' }],
	},
	'calls-to-google-sheets-log': {
		of: [row],
		ofNobody: { call_id: expect.stringMatching(/^\d+$/) as string, phone: null, summary: null },
		ofTwoEvents: [{ started_at: times.started_at, summary: 'Later.' }],
	},
	// A second event clears what it does not state, as the note says.
	'calls-to-data-table-log': {
		of: [row],
		ofNobody: { call_id: expect.stringMatching(/^\d+$/) as string, phone: null, summary: null },
		ofTwoEvents: [{ phone: ends.from, summary: 'Later.' }],
	},
};

describe.each(Object.entries(starters).map(([name, { read }]) => ({ name, read })))(
	'$name',
	({ name, read }) => {
		const title = 'a call becomes one row or message, without a word for a missing value';
		test(title, async () => {
			const { of, ofNobody, ofTwoEvents } = records[name] ?? {};
			const { deliver, unpublish } = await publish(name);
			const once = { 'x-delivery-id': 'twice' };
			await Promise.all([deliver(complete, once), deliver(complete, once)]);
			expect(await read()).toMatchObject(of as object[]);
			await deliver(event({ direction: 'inbound', from: 'anonymous' }));
			expect((await read()).at(-1)).toMatchObject(ofNobody as object);
			await deliver(sparse);
			await deliver(later);
			expect((await read()).slice(-(ofTwoEvents?.length ?? 0))).toMatchObject(ofTwoEvents ?? []);
			await unpublish();
		});
	},
);
