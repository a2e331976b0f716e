import type { IDataObject } from 'n8n-workflow';

import { readCustomer } from '../../nodes/VoiceAgent/customerMatch/call';
import { matchCustomers } from '../../nodes/VoiceAgent/customerMatch/match';
import { readCustomerRecord } from '../../nodes/VoiceAgent/customerMatch/record';

const PHONE = '+442079460321';
const EMAIL = 'ada@example.com';
const customer = readCustomer({ call_id: '1', customer_phone: PHONE, customer_email: EMAIL })!;
const resultOf = (record: IDataObject, of = customer) =>
	matchCustomers([of], [readCustomerRecord(record)])[0]?.result;

/** Records of others: the customer's digits or address stand in them, and are not theirs. */
const DECOYS: Record<string, IDataObject> = {
	'another country, the same last ten digits': { phone: '+12079460321' },
	'another country, the same last nine digits': { phone: '+33279460321' },
	'another country, the same last eight digits': { phone: '+4579460321' },
	'another country behind 00': { phone: '0012079460321' },
	'another area, the same last eight digits': { phone: '+441179460321' },
	'a local number without its area': { phone: '7946 0321' },
	'a local number with a trunk prefix': { phone: '079460321' },
	'a national number of another country': { phone: '8 207 946 03 21' },
	'another country, and its national writing': {
		phone: '+1 207 946 0321',
		mobile: '(207) 946-0321',
	},
	'the last seven digits': { phone: '9460321' },
	'the last four digits': { phone: '0321' },
	'a digit more': { phone: '+4420794603210' },
	'a digit less': { phone: '+44207946032' },
	'an extension that ends the number': { phone: '+44 20 7946 x0321' },
	'an extension behind a short number': { phone: '020 7946 ext. 0321' },
	'an extension of its own': { phone: '+44 20 7946 0000', extension: '442079460321' },
	'the extension in the entry': { phones: [{ number: '+442079460000', extension: PHONE }] },
	'the owner in an object': { phone: '+442079460000', owner: { phone: PHONE, email: EMAIL } },
	'the owner in flat fields': { owner_phone: PHONE, owner_email: EMAIL },
	'the owner below properties': { properties: { owner: { phone: PHONE } } },
	'the creator': { created_by: { email: EMAIL, phone: PHONE } },
	'the creator in a text': { createdBy: EMAIL, created_by_phone: PHONE },
	'the company in an object': { phone: null, company: { phone: PHONE, email: EMAIL } },
	'the company in flat fields': { companyPhone: PHONE, company_email: EMAIL },
	'the organisation': { organization: { phones: [{ value: PHONE }] }, organisation_phone: PHONE },
	'the account of Salesforce': { Phone: null, Account: { Phone: PHONE } },
	'the main number of the company': { main_company_phone: PHONE, company_main_number: PHONE },
	'the switchboard': { switchboard: PHONE, switchboard_phone: PHONE },
	'the assistant of Salesforce': { AssistantPhone: PHONE, MobilePhone: '+442079460000' },
	'the assistant of Zoho': { Asst_Phone: PHONE },
	'an emergency contact': { emergency_contact_phone: PHONE, emergency_contact: { phone: PHONE } },
	'the spouse': { spouse_phone: PHONE, spouse: { phone: PHONE, email: EMAIL } },
	'another person in a list': { contacts: [{ phone: PHONE, email: EMAIL }] },
	'a referrer': { referred_by_email: EMAIL, referrer: { email: EMAIL, phone: PHONE } },
	'a former number': { old_phone: PHONE, previous_phone: PHONE, former_email: EMAIL },
	'a fax': { fax: PHONE, fax_number: PHONE },
	'an id of the same digits': { id: 442079460321, external_id: '02079460321' },
	'an id in the entry of a number': { phone: [{ id: 2079460321, value: '+442079460000' }] },
	'the mailbox of a deal': { cc_email: EMAIL, bcc_email: EMAIL },
	'an address of an assistant': { assistant_email: EMAIL, email: 'grace@example.com' },
	'an address that only ends alike': { email: 'not.ada@example.com' },
	'an address that only begins alike': { email: 'ada@example.com.au' },
	'a note': { notes: `Call ${PHONE}, write to ${EMAIL}`, description: PHONE },
	'the last caller': { last_call: { from: PHONE }, last_call_number: PHONE },
};

test('no decoy is found', () => {
	expect(Object.keys(DECOYS).length).toBeGreaterThanOrEqual(40);
	const wrong = Object.entries(DECOYS).filter(([, record]) => resultOf(record) === 'found');
	expect(wrong).toEqual([]);
});

test('the decoys are found where the digits are the own number or address', () => {
	for (const record of Object.values(DECOYS)) {
		expect(resultOf({ ...record, mobile: PHONE })).toBe('found');
	}
});

const NATIONAL = '020 7946 0321';

test.each<[string, IDataObject]>([
	['HubSpot', { id: '51', properties: { firstname: 'Ada', phone: NATIONAL, mobilephone: null } }],
	['HubSpot, by its first API', { vid: 51, properties: { mobilephone: { value: NATIONAL } } }],
	['HubSpot, several addresses', { properties: { hs_additional_emails: `a@b.example;${EMAIL}` } }],
	['Pipedrive', { id: 7, name: 'Ada', phone: [{ label: 'work', value: NATIONAL, primary: true }] }],
	['Pipedrive, a search', { id: 7, phones: [NATIONAL], emails: [], owner: { id: 3 } }],
	[
		'Salesforce',
		{ Id: '003', Name: 'Ada', MobilePhone: NATIONAL, attributes: { type: 'Contact' } },
	],
	['Salesforce, at home', { Id: '003', HomePhone: NATIONAL, OtherPhone: null }],
	['Zoho', { id: '4', Full_Name: 'Ada', Phone: null, Mobile: NATIONAL, Secondary_Email: null }],
	['HighLevel', { id: 'x', contactName: 'Ada', phone: PHONE, additionalEmails: [] }],
	[
		'Airtable',
		{ id: 'rec1', createdTime: '2026-01-01T00:00:00.000Z', fields: { Phone: NATIONAL } },
	],
	['Notion', { id: 'p1', name: 'Ada', property_phone: NATIONAL }],
	['Notion, raw', { properties: { Phone: { type: 'phone_number', phone_number: NATIONAL } } }],
	['Google', { phoneNumbers: [{ value: NATIONAL, canonicalForm: PHONE, type: 'mobile' }] }],
	['Google, simplified', { phoneNumbers: { home: [NATIONAL] }, emailAddresses: { work: [] } }],
	['Freshsales', { id: 7, display_name: 'Ada', work_number: NATIONAL, mobile_number: null }],
	['Freshsales, a mobile number', { id: 7, work_number: null, mobile_number: NATIONAL }],
	['Copper', { phone_numbers: [{ number: NATIONAL, category: 'work' }] }],
	['Odoo', { id: 3, mobile: false, phone: NATIONAL, parent_name: 'Engines Ltd' }],
	['Strapi', { id: 3, attributes: { phone: NATIONAL } }],
	['Outlook', { businessPhones: [NATIONAL], displayName: 'Ada' }],
	['a sheet with numbers', { row_number: 2, 'Phone number': 2079460321 }],
	['a sheet with two numbers', { Phone: `07400 123456 / ${NATIONAL}` }],
	['a German sheet', { Name: 'Ada', 'Telefon-Nr.': NATIONAL }],
	['a Spanish sheet', { Nombre: 'Ada', 'Número de teléfono': NATIONAL }],
	['a French sheet', { Nom: 'Ada', Téléphone: NATIONAL }],
	['a sheet of mobile numbers', { Name: 'Ada', 'Mobile No.': NATIONAL }],
	['a German sheet of mobile numbers', { Name: 'Ada', 'Mobil-Nr.': NATIONAL }],
	['a Spanish sheet of mobile numbers', { Nombre: 'Ada', 'Número móvil': NATIONAL }],
	['a French sheet of mobile numbers', { Nom: 'Ada', 'N° portable': null, Portable: NATIONAL }],
	['a Russian sheet', { Имя: 'Ada', Телефон: NATIONAL }],
	['a Russian sheet of mobile numbers', { Имя: 'Ada', Мобильный: NATIONAL }],
	['a Korean sheet', { 이름: 'Ada', 전화: NATIONAL }],
	['an address', { 'E-Mail': 'ADA@example.com' }],
	['an address in a list', { emails: [{ value: EMAIL }, { email: 'a@b.example' }] }],
	['an address with a name', { email: `Ada <${EMAIL}>` }],
])('a record of %s is found', (_name, record) => {
	expect(resultOf(record)).toBe('found');
});
