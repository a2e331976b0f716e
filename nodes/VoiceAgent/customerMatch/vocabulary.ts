/* The names of a record's fields, in lower-case words of the singular. Accents make no difference. */
import type { TopicNames } from '../text/topicFinder';
import { DATE_WORDS, ENVELOPES } from '../text/vocabulary';
import { setOf } from '../text/words';

/** The fields of a record that are read, beside numbers and addresses. */
export type RecordTopic =
	| 'name'
	| 'first'
	| 'last'
	| 'created'
	| 'id'
	| 'inactive'
	| 'active'
	| 'state';

/** The person of the record. */
export const PERSONS = `
	customer, contact, client, person, people, lead, patient, guest, member, subscriber, buyer, caller,
	kunde, kundin, kunden, patientin, gast, cliente, clienta, paciente, contacto, contato, client, klant,
	contatto, invitee
`;
/** Words without a meaning of their own, which say of nobody else that a value is theirs. */
const NEUTRAL = `
	${ENVELOPES.fields}, item, record, result, value, data, hs, custom, the, your, my, to, reach,
	you, what, is, of, for, at, or, in, please, enter, best, with, valid, do, de, del, di, da, du, la, le, el, l, der,
	die, das, des, dein, deine, ihre, votre, su, tu, main, e, 164, a, c, d, i, s, text, string, raw,
	formatted, format, sanitized, normalized, canonical, form, full, clean, digit, original, international, national,
	local, list, collection, input, answer, response, billing, rechnung, detail, info, information, column, display, cf,
	important, verified, plain, cust, usa, uk
`;
/** One of several numbers or addresses of a person. */
const ONE_OF_SEVERAL = `
	primary, secondary, other, additional, alternate, alternative, preferred, default, direct, first, second, third,
	1, 2, 3, 4, 5, 6, 7, 8, 9, day, daytime, evening, principal, haupt, weitere, autre, otro, outro, altro
`;
/** Words for a number or an address of a person. */
const NUMBERS_AND_ADDRESSES = `
	phone, mobile, cell, cellphone, cellular, telephone, tel, ph, mob, msisdn, whatsapp, wa, sms, landline, number,
	num, no, nr, n, contact, caller, home, work, office, business, private, personal, handphone, hp, gsm, fixed, line,
	workdd, priv, email, mail, address, inbox,
	telefon, telefonnummer, telefonnr, rufnummer, handy, handynummer, mobil, mobilnummer, mobilfunk, mobilfunknummer,
	mobilnr, mobiltelefon, festnetz, festnetznummer, nummer, privat, dienstlich, geschaftlich, adresse, mailadresse,
	telephone, portable, numero, fixe, domicile, bureau, travail, professionnel, courriel, electronique,
	telefono, movil, celular, cel, fijo, casa, trabajo, particular, oficina, correo, electronico, contacto,
	telefone, telemovel, fixo, fone, contato, trabalho, residencial, comercial, eletronico,
	cellulare, cell, fisso, recapito, ufficio, lavoro, posta, elettronica, indirizzo,
	telefoon, telefoonnummer, mobiel, mobiele, vast, thuis, werk, prive, tlf, mobilnummer, epost, mejl,
	puhelin, puhelinnumero, matkapuhelin, numerot, sahkoposti,
	telefonu, komorkowy, komorka, numer, stacjonarny, telefonni, cislo, telefonne, mobilni, poczta,
	telefonszam, mobilszam, numar, numarul, cep, numarasi, numara, eposta, ev, is,
	τηλεφωνο, κινητο, телефон, телефона, телефону, мобильный, сотовый, мобільний, номер, почта, электронная, эл, почты,
	هاتف, الهاتف, جوال, الجوال, رقم, موبايل, البريد, الإلكتروني, טלפון, נייד, मोबाइल, फोन, नंबर,
	điện thoại, số, sđt, di động, telepon, nomor, ponsel, เบอร์โทร, โทรศัพท์, เบอร์โทรศัพท์, มือถือ,
	电话, 手机, 手机号, 手机号码, 电话号码, 联系电话, 联系方式, 邮箱, 电子邮件, 電話, 電話番号, 携帯, 携帯電話, 携帯番号, 携帯電話番号,
	手機, 手機號碼, 電話號碼, メール, メールアドレス, 전화, 전화번호, 휴대폰, 휴대전화, 핸드폰, 연락처, 이메일
`;

/** All words of a field with a number or an address of the record's person; it has one of `heads`. */
export const OWN_WORDS = {
	heads: NUMBERS_AND_ADDRESSES,
	beside: `${PERSONS}, ${NEUTRAL}, ${ONE_OF_SEVERAL}`,
};

/** Words for other people, lines and former values. One of them is enough. */
export const OTHERS_WORDS = `
	owner, user, company, organization, organisation, org, account, employer, fax, telefax, assistant, asst, secretary,
	emergency, spouse, wife, husband, partner, parent, mother, father, guardian, child, son, daughter, brother, sister,
	sibling, relative, friend, neighbour, neighbor, kin, supervisor, manager, boss, colleague, employee, staff, team,
	referrer, referred, referral, referee, reference, creator, created, modified, updated, by, agent, bot, rep,
	representative, salesperson, assigned, assignee, advisor, adviser, broker, lawyer, attorney, doctor, physician,
	practitioner, therapist, dentist, vendor, supplier, seller, merchant, shop, store, branch, hotel, restaurant,
	landlord, tenant, switchboard, reception, support, helpdesk, our, twilio, tracking, dialed, dialled, called, callee,
	old, previous, former, prior, cc, bcc, pager, beneficiary, guarantor, cosigner, host,
	firma, unternehmen, besitzer, inhaber, betreuer, mitarbeiter, notfall, notfallkontakt, notfallnummer, ehepartner,
	ehefrau, ehemann, mutter, vater, assistenz, assistentin, faxnummer, alte, fruhere, vermieter, arbeitgeber,
	entreprise, societe, urgence, conjoint, proprietaire, assistante, telecopie, employeur, ancien,
	empresa, emergencia, propietario, dueno, esposo, esposa, conyuge, asistente, anterior, emergencia, responsavel,
	azienda, emergenza, coniuge, proprietario, bedrijf, noodgeval, eigenaar, partner, wlasciciel, firmy, szef,
	компания, компании, владелец, ответственный, факс, 公司, 传真, 紧急联系人, 紧急联系电话, 会社, 緊急連絡先, ファックス, 회사, 팩스,
	비상연락처
`;
/** Beside a word for a person, these make it another person: `Guest 2 phone`. Or perhaps one: `Other contact phone`. */
export const SECOND_WORDS = `
	2, 3, 4, 5, 6, 7, 8, 9, second, secondary, third, zweite, zweiter, deuxieme, segundo, segunda, secondo
`;
export const PERHAPS_SECOND_WORDS =
	'other, additional, alternate, alternative, person, weitere, autre, otro';

/** Fields of an entry of a list that say which of several values it is: `{ "type": "fax", "value": "+44…" }` */
export const LABELS = `
	type, label, name, title, kind, category, key, question, slug, ref, field, field name, field code, field label,
	enum code, tag, column
`;
/** Fields with a calling code, and the words beside them: `primaryPhoneCallingCode` */
export const CALLING_CODES =
	'calling, code, country, dial, dialing, dialling, prefix, international';

/** Lists of records: their entries may be several people. */
export const LISTS_OF_RECORDS = `${PERSONS}, ${ENVELOPES.record}, ${ENVELOPES.message}, row, hit, document, included`;

const INACTIVE = `
	deleted, archived, inactive, converted, merged, trashed, trash, removed, deactivated, disabled, master record, geloscht,
	archiviert, inaktiv
`;
/** Words of a state in which a record is not in use. */
export const INACTIVE_STATES = setOf(INACTIVE);

export const RECORD_TOPICS: Record<RecordTopic, TopicNames> = {
	name: {
		sure: 'name, full name, display name, nombre, nombre completo, nome, nome completo, naam, имя, 이름, 姓名',
		beside: `${PERSONS}, ${ENVELOPES.fields}, do, de, del, di`,
	},
	first: {
		sure: 'first name, firstname, given name, first, given, vorname, prenom, voornaam',
		beside: `${PERSONS}, ${ENVELOPES.fields}, do, de, del, di, name`,
	},
	last: {
		sure: `
			last name, lastname, family name, surname, last, family, nachname, nom, nom famille, apellido, cognome,
			sobrenome, achternaam, фамилия
		`,
		beside: `${PERSONS}, ${ENVELOPES.fields}, do, de, del, di`,
	},
	created: {
		sure: 'created, create, added, add, creation, createdate, createtime, cdate',
		beside: `${PERSONS}, ${ENVELOPES.fields}, hs, ${DATE_WORDS}`,
	},
	id: {
		sure: 'id, vid',
		lessSure: 'uuid, guid, resource name, row number',
		beside: `${PERSONS}, record, row`,
	},
	inactive: {
		sure: INACTIVE,
		beside: `${PERSONS}, is, has, was, been, in, flag, into, to, id, s, ${DATE_WORDS}`,
	},
	active: { sure: 'active, enabled, aktiv', beside: `${PERSONS}, is, flag, status` },
	state: { sure: 'status, state', beside: `${PERSONS}, record` },
};

/** Objects of a record that hold the person's own fields. */
export const OWN_FIELDS = `${ENVELOPES.fields}, ${ENVELOPES.record}, ${PERSONS}, value, data, user field, json`;

/** Fields inside of a name or an id: `properties.Name.title[0].plain_text` */
export const ENTRY_FIELDS = 'value, title, text, plain text, rich text, id, content';
