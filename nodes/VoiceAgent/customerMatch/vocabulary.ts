/* The names of a record's fields, in lower-case words of the singular. Accents make no difference. */
import { CUSTOMERS } from '../callDetails/vocabulary/fieldWords';
import type { TopicNames } from '../text/topics';
import { setOf, DATE_WORDS, ENVELOPES } from '../text/words';

/** The person of the record. */
export const PERSONS = `
	${CUSTOMERS}, person, people, member, subscriber, buyer, caller, kunde, kundin, kunden, gast, cliente, clienta,
	paciente, contacto, contato, contatto, klant, invitee, student, passenger
`;
/** Words for a number or an address of a person. */
export const CONTACTS = `
	phone, mobile, cell, cellular, telephone, telecom, tel, ph, mob, msisdn, whatsapp, what app, wa, sms, landline,
	number, num, no, nr, n, contact, caller, home, work, office, business, private, personal, handphone, hp, gsm,
	fixed, line, mail, email, address, addresse, inbox, telefon, telefonnr, rufnummer, handy, mobil, mobilfunk,
	mobilnr, festnetz, nummer, privat, dienstlich, geschaftlich, adresse, adre, mailadre, postadress, direccion,
	kontaktnummer, portable, numero, fixe, domicile, bureau, travail, professionnel, courriel, electronique,
	telefono, movil, celular, cel, fijo, casa, trabajo, particular, oficina, correo, electronico, contacto,
	telefone, telemovel, fixo, fone, contato, trabalho, residencial, comercial, eletronico, cellulare, fisso,
	recapito, ufficio, lavoro, posta, elettronica, indirizzo, telefoon, mobiel, mobiele, vast, thuis, werk, prive,
	tlf, epost, puhelin, matkapuhelin, sahkoposti, telefonu, komorkowy, komorka, numer, stacjonarny, telefonni,
	cislo, mobilni, poczta, telefonszam, numar, cep, numarasi, numara, eposta, τηλεφωνο, κινητο, телефон, телефона,
	телефону, мобильный, мобильного, контактный, сотовый, мобільний, номер, почта, электронная, эл, почты, هاتف,
	الهاتف, جوال, الجوال, رقم, موبايل, البريد, الإلكتروني, טלפון, נייד, מספר, मोबाइल, फोन, नंबर, điện thoại, số,
	sđt, di động, telepon, nomor, ponsel, เบอร์โทร, โทรศัพท์, เบอร์โทรศัพท์, มือถือ, 电话, 手机, 手机号, 手机号码, 电话号码, 联系电话,
	联系人电话, 联系方式, 邮箱, 电子邮箱, 电子邮件, 電話, 電話番号, 携帯, 携帯電話, 携帯番号, 携帯電話番号, 手機, 手機號碼, 電話號碼, メール, メールアドレス, 전화, 전화번호, 번호, 휴대폰,
	휴대전화, 핸드폰, 연락처, 이메일, 주소
`;
/** Words beside them: of the person, of one of several values, and without a meaning of their own. */
export const BESIDE_CONTACTS = `
	${PERSONS}, ${ENVELOPES.fields}, ${ENVELOPES.record}, primary, secondary, other, additional, alternate,
	alternative, preferred, default, direct, first, second, third, 1, 2, 3, 4, 5, 6, 7, 8, 9, day, daytime,
	evening, principal, weitere, autre, otro, outro, altro, data, hs, calculated, custom, cust, core, the, your,
	my, para, reach, you, what, is, of, for, from, at, or, and, in, please, enter, best, with, valid, verified,
	country, code, do, de, del, di, da, du, la, le, el, l, der, die, das, dein, ihre, votre, su, tu, e, 164, a, c,
	d, i, s, cf, meta, im, text, string, raw, rich, plain, content, formatted, format, pretty, sanitized,
	normalized, canonical, form, full, clean, digit, original, international, national, local, list, collection,
	input, question, answer, reminder, billing, detail, info, information, column, display, control, multitext,
	workdd, priv, official, free, addr, embedded, telefonico, buro, arbeit
`;
/** Words in the text of a number that say nothing of whose it is, beside those for a number: `020 7946 0321 x45` */
export const BESIDE_NUMBERS = `
	x, p, ext, extn, extension, extensao, interno, ramal, anexo, poste, durchwahl, dw, und, oder, y, o, e, ou, et, en,
	of, after, before, until, only, not, am, pm, uhr, ab, bis, nach, vor, nur
`;
/** Beside a word for a person, these may make it another person: `Guest 2 phone` */
export const SECOND = setOf(`
	2, 3, 4, 5, 6, 7, 8, 9, second, secondary, third, zweite, deuxieme, segundo, other, additional, alternate,
	alternative, person, weitere, autre, otro, billing, guarantor
`);

/** Last words of the fields that say which of several values it is: `{ phone_type: 'fax', number: '+44…' }` */
export const LABELS = setOf(`
	type, label, name, title, key, ref, field, code, column, use, system, relation, relationship, role, kind, category,
	comment, note, memo, owner
`);

/** Words of the fields with a calling code: `primaryPhoneCallingCode` */
export const CALLING_CODES = setOf('calling, code, country, dial, dialing, dialling, prefix');

const RECORDS = `${PERSONS}, ${ENVELOPES.record}, data`;
/** Objects of a record that hold the person's own fields. */
export const OWN_FIELDS = setOf(
	`${RECORDS}, ${ENVELOPES.fields}, value, column value, user field, merge field`,
);
/** Lists of records: their entries may be several people. */
export const RECORD_LISTS = setOf(`${RECORDS}, row, hit, document, included`);
/** Fields inside of a name or an ID: `properties.Name.title[0].plain_text` */
export const ENTRY_FIELDS = setOf('value, title, text, plain text, rich text, content');

const BESIDE_NAMES = `
	${PERSONS}, ${ENVELOPES.fields}, name, full, display, completo, complet, do, de, del, di, du, der, des,
	of, the, y, e, et, and, und, en, i, и, og, your, what, is, apellido, cognome, sobrenome, фамилия, отчество
`;
const named = (sure: string) => ({ sure, beside: BESIDE_NAMES });
/** Words of a record that is not in use, in the name of a field or in its state. */
const INACTIVE = 'deleted, archived, inactive, is converted, merged, removed, master record';
export const INACTIVE_STATES = setOf('deleted, archived, merged, removed');

/** The fields of a record that are read, beside numbers and addresses. */
export const RECORD_TOPICS = {
	name: named(`
		name, nombre, nome, nom, naam, namn, navn, имя, фио, 이름, 姓名, 氏名, 名前, first last, vor nachname, vorname nachname,
		voor achternaam, voornaam achternaam, fornavn efternavn, nom prenom, prenom nom, imie nazwisko, nachname vorname,
		last first, surname first
	`),
	first: named('first, given, forename, fname, vorname, prenom, voornaam, imie, fornavn, fornamn'),
	last: named(`
		last, family, nom famille, surname, lname, nachname, apellido, cognome, achternaam, sobrenome, фамилия, nazwisko,
		efternamn, efternavn, etternavn
	`),
	/** A column such as `Customer`, which holds the name if no other field does. */
	person: { sure: PERSONS, beside: 'person' },
	created: { sure: 'created, create, added, add', beside: `${PERSONS}, hs, ${DATE_WORDS}` },
	id: { sure: 'id, vid, row number, resource name', beside: `${PERSONS}, record` },
	inactive: { sure: INACTIVE, beside: `${PERSONS}, is, has, was, in, to, id, ${DATE_WORDS}` },
	state: { sure: 'status, state', beside: `${PERSONS}, record` },
} satisfies Record<string, TopicNames>;

export type RecordTopic = keyof typeof RECORD_TOPICS;
