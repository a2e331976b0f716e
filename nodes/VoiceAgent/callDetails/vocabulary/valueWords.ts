/* Words of values, in lower case and in the singular. */
import { groupsOf, listed, setOf } from '../../text/words';

export type Direction = 'inbound' | 'outbound';

/** Texts that stand in place of a value. */
export const NO_VALUES = setOf(`
	-, --, n/a, na, nil, nan, null, none, undefined, unknown, true, false, not provided,
	not specified, not available, not applicable
`);

/** Words and phrases in place of a hidden number, words beside them, and the same words typed on a keypad. */
export const WITHHELD_WORDS = listed(`
	anonymous, restricted, private, blocked, withheld, unavailable, unknown, hidden, suppressed,
	anonym, unbekannt, unbekannter, unterdrückt, anonyme, inconnu, inconnue, masqué, privé,
	desconocido, desconocida, anónimo, oculto, privado, desconhecido, desconhecida, sconosciuto,
	sconosciuta, nascosto, onbekend, anoniem, afgeschermd, okänd, ukjent, ukendt, tuntematon,
	nieznany, nieznana, anonimowy, ukryty, ismeretlen, rejtett, neznámý, neznámá, necunoscut,
	anonim, bilinmeyen, bilinmiyor, gizli, неизвестный, неизвестно, анонимный, скрытый, невідомий,
	άγνωστος, непознат, 未知, 匿名, 未知来电, 未知來電, 未知号码, 未知號碼, 不明, 不明な発信者, 非通知, 알 수 없음, 익명, 발신번호 표시제한,
	مجهول, رقم مجهول, غير معروف, לא ידוע, חסוי, אנונימי, अज्ञात, अनजान, ไม่ทราบ, không rõ, ẩn danh,
	tidak diketahui, out of area, unidentified
`);
export const BESIDE_WITHHELD = listed(`
	caller, call, number, id, cid, the, is, anrufer, nummer, appelant, numéro, número, llamante,
	chamador, chiamante, beller, numer, arayan, numara, абонент, номер, user, name, contact,
	customer
`);

export const WITHHELD_NUMBERS = setOf(`
	266696687, 7378742883, 7378742833, 2562533, 86282452253, 8656696
`);

/** Texts before the `@` of an address that nobody reads: `no-reply`. */
export const NO_MAILBOXES = listed(`
	no reply, do not reply, no email, no mail, no email provided, not provided, none, null,
	undefined, na, redacted, deleted, removed, masked, placeholder, invalid, no name, keine,
	keine email, sin email, sin correo, sem email, pas demail, sans email, nessuna, brak,
	not available, example
`);

export const DIRECTIONS = groupsOf<Direction>({
	inbound: 'inbound, incoming, received, in',
	outbound: 'outbound, outgoing, placed, out',
});
/** Words before `INITIATED`: `USER_INITIATED`. */
export const INITIATORS = groupsOf<Direction>({
	inbound: 'user, customer, caller, contact',
	outbound: 'business, agent, company',
});

/** Media that are no phone: `type: web_call`. */
export const WEB = new Set(['web', 'webrtc', 'webcall', 'website', 'widget', 'browser']);

/** Words of event types that are not about calls. */
export const OTHER_EVENTS = setOf(`
	sms, mms, fax, email, message, appointment, booking, meeting, invoice, payment, subscription,
	order, ticket, task, deal, campaign
`);
/** Words of event types and media that are about calls. */
export const CALL_EVENTS = setOf(`
	call, calling, callback, conversation, chat, voice, voicemail, phone, telephony, interaction,
	session, hangup
`);

/** Words in the types of test events. */
export const TESTS = setOf('test, sample');
/** All words of such a type. A `topic` may be `blood test`. */
export const TEST_TYPES = setOf('test, sample, ping, webhook, event, call, completed, ended');

/** Words for how a call ended, in fields of any meaning: `status`, `result`, `reason`. */
export const ENDS = setOf(`
	abandoned, answer, answered, busy, cancel, canceled, cancelled, clearing, complete, completed,
	congestion, connected, contacted, declined, disconnected, done, dropped, end, ended, failed,
	finished, hangup, machine, missed, noanswer, rejected, terminated, timeout, transferred,
	unanswered, unreachable, voicemail
`);
/** Words beside them. Any other word is of something else that ended: `cancel order`. */
export const BESIDE_ENDS = setOf(`
	no, not, did, normal, by, call, user, customer, caller, callee, agent, assistant, answering,
	detected, left
`);
