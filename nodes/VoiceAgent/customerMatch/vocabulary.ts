/* The names of a record's fields, in lower-case words of the singular, without accents. */
import type { TopicNames } from '../text/topicFinder';
import { DATE_WORDS, ENVELOPES } from '../text/vocabulary';
import { setOf } from '../text/words';

/** The fields of a record that are read. */
export type RecordTopic = 'phone' | 'email' | 'name' | 'first' | 'last' | 'created' | 'id';

/** The person of the record, and words without a meaning of their own. */
const OWN = `
	property, field, customer, contact, client, person, lead, patient, guest, kunde, cliente, hs, de, do,
	di, del
`;
/** One of several numbers or addresses of a person. */
const ONE_OF_SEVERAL = `
	home, work, office, business, private, personal, primary, secondary, other, additional, alternate,
	alternative, preferred, default, direct, second, third, 1, 2, 3, 4, 5, mobile, mobil, movil, portable,
	privat, dienstlich, geschaftlich
`;

export const RECORD_TOPICS: Record<RecordTopic, TopicNames> = {
	phone: {
		sure: `
			phone, mobile, cell, telephone, tel, msisdn, whatsapp, mobile phone, cell phone, phone mobile,
			phone cell, whatsapp phone, mobile telephone, contact number, work number, telefon, telefonnummer, rufnummer,
			handy, handynummer, mobil, mobilnummer, mobiltelefon, telefono, telefono movil, movil, celular,
			telefone, cellulare, portable, telephone portable, telefoon, telefoonnummer, mobiel, puhelin, telefonszam,
			телефон, мобильный, 电话, 手机, 電話, 전화
		`,
		beside: `
			${OWN}, ${ONE_OF_SEVERAL}, number, num, no, nr, nummer, numero, номер, e, 164, digit, formatted,
			sanitized, normalized, canonical, form, international
		`,
	},
	email: {
		sure: 'email, mail, e mail, courriel, correo, correo electronico',
		beside: `${OWN}, ${ONE_OF_SEVERAL}, address, adresse, normalized`,
	},
	name: {
		sure: 'name, full name, display name, nombre, nombre completo, nome, nome completo, naam, имя',
		beside: OWN,
	},
	first: {
		sure: 'first name, firstname, given name, first, given, vorname, prenom, voornaam',
		beside: OWN,
	},
	last: {
		sure: `
			last name, lastname, family name, surname, last, family, nachname, nom, nom famille, apellido, cognome,
			sobrenome, achternaam, фамилия
		`,
		beside: OWN,
	},
	created: {
		sure: 'created, create, added, add, creation, createdate, createtime, cdate',
		beside: `${OWN}, ${DATE_WORDS}`,
	},
	id: { sure: 'id, vid' },
};

/** Objects of a record that hold the person's own fields. */
export const OWN_FIELDS = setOf(ENVELOPES.fields);

/** Fields inside of a number, address or name: `phones[].value`, `phoneNumbers.home[0]`. */
export const ENTRY_FIELDS = setOf(`
	value, number, address, title, text, plain text, rich text, home, work, other, 0, 1, 2
`);
