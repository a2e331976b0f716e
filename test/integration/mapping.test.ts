import { NodeOperationError, type INodeParameters } from 'n8n-workflow';

import {
	post,
	publish,
	registeredUrl,
	sandbox,
	trigger,
	useReceiver,
} from '../support/n8n/receiveSetup';

// The waits between the node's attempts pass at once.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

useReceiver();
const MAPPED = {
	anrufer: { nummer: '030 23125014', vorname: 'Grace', nachname: 'Hopper' },
	'Dauer (Sek.)': 184,
};
const event = (data: object = MAPPED) => ({ type: 'call.completed', data });

/** Rows as n8n's editor stores them: a pasted path with braces begins with `=`. */
const ROWS = [
	{ path: '={{ $json.data.anrufer.nummer }}' },
	{ detail: 'customer.name', path: '={{ $node["Trigger"].json.data.anrufer.vorname }}' },
	{ detail: 'customer.name', path: '={{ $json.data.anrufer.nachname }}' },
	{ detail: 'durationSeconds', path: "={{ $json.data['Dauer (Sek.)'] }}" },
];
const mappedBy = (...fields: INodeParameters[]): INodeParameters => ({
	callDetailsMapping: { fields },
});

async function publishMapped(options: INodeParameters): Promise<void> {
	await publish(options);
	trigger.parameters = { ...trigger.parameters, output: 'both' };
}

// Promise: A pasted path is read as text and never evaluated.
test('pasted rows are read as text for each event of a batch, beside an option with an expression', async () => {
	await publishMapped({
		...mappedBy(...ROWS),
		countryCode: '+49',
		deliveryDetails: '={{ true }}',
	});
	const empty = event({});
	const { items } = await post(registeredUrl(), [event(), empty]);
	expect(items).toMatchObject([
		{
			callDetails: {
				person: 'found',
				customer: { phone: '+493023125014', name: 'Grace Hopper' },
				durationSeconds: 184,
			},
			delivery: { eventType: 'call.completed' },
		},
		{ callDetails: { person: 'unknown', customer: { phone: null, name: null } } },
	]);
});

/** Invalid options: the error of the publish, and the call details of a delivery. */
const INVALID: Array<[string, INodeParameters, object]> = [
	[
		"The field of Summary in Call Details Mapping can't be read: ={{ $json.data.text.trim() }}. Write",
		mappedBy({ detail: 'summary', path: '={{ $json.data.text.trim() }}' }),
		{ summary: null, customer: { phone: '03023125014' } },
	],
	[
		"'Country Code' can't be read: 0049. Write",
		{ countryCode: '0049' },
		{ summary: 'Hello', customer: { phone: '03023125014' } },
	],
];

test.each(INVALID)(
	'publishing fails, and a delivery still starts the workflow: %s …',
	async (message, options, callDetails) => {
		await publishMapped({});
		const before = sandbox.endpoints();
		trigger.parameters = { ...trigger.parameters, options };
		for (const method of ['checkExists', 'create'] as const) {
			const error = await trigger.call(method).catch((thrown: unknown) => thrown);
			expect(error).toBeInstanceOf(NodeOperationError);
			expect((error as Error).message).toContain(message);
		}
		expect(sandbox.endpoints()).toEqual(before);
		const data = { direction: 'inbound', from: '030 23125014', to: '+4930555', summary: 'Hello' };
		const received = await post(registeredUrl(), event(data));
		expect(received).toMatchObject({ status: 200, items: [{ callDetails }] });
		// n8n can still remove the endpoint.
		await trigger.call('delete');
		expect(sandbox.endpoints()).toEqual([]);
	},
);
