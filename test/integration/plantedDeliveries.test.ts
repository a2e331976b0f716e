import { event, search, secrets, useSearch } from '../support/events/plantedSecrets';
import {
	post,
	publish,
	receiver,
	registeredUrl,
	rightToken,
	sandbox,
	trigger,
	useReceiver,
} from '../support/n8n/receiveSetup';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

useReceiver();
useSearch(500);

const SPELLINGS: Array<[string, (text: string) => string]> = [
	['plain', String],
	[
		'with escaped letters',
		(json) =>
			json.replace(/[a-z](?=[^"\\]*")/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
	],
	['with escaped slashes', (json) => json.replaceAll('/', '\\/')],
];
const signingSecret = 'whsec_MfKQ+9r8/GKYqrTwjUPD8ILPZIo2LaLaSw==';
test.each(SPELLINGS)('the trigger shows no secret of an event: %s', async (_name, spell) => {
	await publish({ deliveryDetails: true });
	secrets['API key'] = sandbox.adminKey;
	secrets['signing secret of the credential'] = signingSecret;
	trigger.credential = { ...trigger.credential, webhookSigningSecret: signingSecret };
	secrets['callback token'] = rightToken();
	trigger.staticData.signingSecret = secrets['signing secret of the webhook'];
	let count = 0;
	const deliver = async (kind: string, token = '') => {
		const { items } = await post(
			registeredUrl() + token,
			spell(JSON.stringify({ ...event(), id: `evt_${++count}` })),
			{ 'x-event-id': secrets['API key']! },
		);
		search(kind, items);
		return items;
	};
	for (const output of ['both', 'details', 'event']) {
		trigger.parameters = { ...trigger.parameters, output };
		expect(await deliver('items of the trigger')).toHaveLength(1);
	}
	const filter = { outcomes: 'booked' };
	trigger.parameters = { ...trigger.parameters, options: { onlyCalls: { filter } } };
	await deliver('items of the trigger');
	await trigger.call('delete');
	await trigger.call('create', true);
	receiver.open(trigger, 'manual');
	secrets['callback token'] = rightToken();
	trigger.staticData.signingSecret = secrets['signing secret of the webhook'];
	const before = receiver.received.length;
	await deliver('items and hints of a test');
	search('items and hints of a test', receiver.received.slice(before));
	const fields = [{ detail: 'customer.phone', path: '' }];
	trigger.parameters = { ...trigger.parameters, options: { callDetailsMapping: { fields } } };
	const path = 'parameters.options.callDetailsMapping.fields[0].path';
	search('lists', await trigger.loadOptions('getEventFields', path));
});
