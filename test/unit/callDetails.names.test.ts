import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';

const CALL = { call_id: '1', direction: 'inbound', from: '+442079460321', email: 'n@x.example' };
const customerOf = (fields: object) => readCallDetails({ ...CALL, ...fields }).customer;

// Promise: A text that says that there is no name is no name.
test.each([
	...['No name was given', 'Unknown Patient', 'New Prospect', 'Applicant', 'The candidate'],
	...['Caller did not give a name', 'Unable to determine', 'Customer (name unknown)', 'Someone'],
	...['Der Anrufer', 'Name nicht genannt', 'Keine Angabe im Gespräch', 'Kunde (unbekannt)'],
	...['El cliente', 'No dio su nombre', 'Nombre desconocido', 'Sin información'],
	...['Le client', 'Nom non communiqué', "Le client n'a pas donné son nom", 'Client inconnu'],
	...['Il cliente', 'Nome sconosciuto', 'Il cliente non ha fornito il nome'],
	...['O cliente', 'Não informado', 'Nome não fornecido', 'Sem informação'],
	...['De beller', 'Niet genoemd', 'Naam onbekend', 'Namn saknas', 'Ikke nevnt', 'Ei mainittu'],
	...['Nie podano imienia', 'Nieznany klient', 'Neznámý volající', 'Není uvedeno', 'Nem említette'],
	...['Müşteri', 'İsim belirtilmemiş', 'Не назвал', 'Имя неизвестно', 'Δεν αναφέρθηκε'],
	...['未提供姓名', '客户姓名未知', '言及なし', '이름 언급 없음', 'Nama tidak disebutkan'],
	...['Không cung cấp tên', 'لم يتم ذكر الاسم', 'לא ידוע', 'ไม่ระบุชื่อ', 'तय नहीं'],
	...['Not mentioned', 'The caller', 'Not provided in the conversation', 'CELL PHONE   NY'],
	...['WASHINGTON DC', 'MIAMI, FL', 'TORONTO      ON', 'N/A N/A', 'Frau Dr. med.', 'Not Given'],
	...['{{customer.name}}', 'Valued Customer', 'Customer Support', 'n.a.'],
	...['Ada undefined', 'Herr Unbekannt', 'there', 'Neukunde', 'k.A.'],
])('%s is no name', (name) => {
	expect(customerOf({ customer_name: name }).name).toBeNull();
});

test.each([
	...[
		'Will Given Smith',
		'Norah No',
		'No Minwoo',
		'Nao Tanaka',
		'Nie Wei',
		'Sin Jung',
		'Le Nguyen',
	],
	...[
		'Frau Dr. med. King',
		'Khong Wei Ling',
		'Una Cliente Ruiz',
		'Mary Ann Person',
		'Son Heung-min',
		'La Toya Jackson',
	],
	...[
		'未来',
		'不二周助',
		'高梨ひなた',
		'김민수',
		'MARIA OCONNOR',
		'Jack Ma',
		'Ada NY',
		'Ada Lovelace, MD',
	],
])('%s is a name', (name) => {
	expect(customerOf({ customer_name: name }).name).toBe(name);
});

test.each(['Sales: Ada Lovelace', '[Support] Ada Lovelace', 'Name: Ada Lovelace'])(
	'the name in %s is Ada Lovelace',
	(name) => {
		expect(customerOf({ customer_name: name }).name).toBe('Ada Lovelace');
	},
);

// Promise: Two spellings of a name are one name.
test.each([
	['LOVELACE ADA', 'Ada Lovelace', 'Ada Lovelace'],
	['Ada Lovelace', 'Lovelace, Ada', 'Ada Lovelace'],
	['Lovelace', 'Ada Lovelace', 'Ada Lovelace'],
	['Ada M. Lovelace', 'Ada Lovelace', 'Ada M. Lovelace'],
	['Zoë Müller', 'ZOE MULLER', 'Zoë Müller'],
	['Seán O’Brien', 'OBRIEN SEAN', 'Seán O’Brien'],
	['PICARD JEAN LUC', 'Jean-Luc Picard', 'Jean-Luc Picard'],
	['Иван Петров', 'ПЕТРОВ ИВАН', 'Иван Петров'],
	['Ada\u200b Lovelace', 'Ada Lovelace', 'Ada\u200b Lovelace'],
	['The caller', 'ADA LOVELACE', 'ADA LOVELACE'],
	['BOSTON MA', 'Ada Lovelace', 'Ada Lovelace'],
	['Ada Lovelace', 'Ada Byron', null],
	['Anna Lee', 'Annalee', null],
	['राम', 'रोम', null],
])('the names %s and %s give %p, and the e-mail address unless they differ', (one, other, name) => {
	const named = { customer_name: one, caller_name: other, caller_email: CALL.email };
	expect(customerOf(named)).toMatchObject({ name, email: name && CALL.email });
});

test.each<[object, string | null]>([
	[{ customer: { name: 'Ada', first_name: 'Ada', last_name: 'Byron' } }, 'Ada Byron'],
	[{ customer: { name: 'Ada', first_name: 'Eva', last_name: 'Byron' } }, null],
	// A part agrees with two wholes, which do not agree.
	[{ customer_name: 'Ada', lead_name: 'Ada Lovelace', caller_name: 'Ada Byron' }, null],
])('the names of %j are one: %p', (named, name) => expect(customerOf(named).name).toBe(name));
