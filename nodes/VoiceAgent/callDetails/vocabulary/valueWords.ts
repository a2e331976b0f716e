/* Words of values, in lower case and in the singular. */
import { CUSTOMERS } from './fieldWords';
import { groupsOf, splitList, setOf } from '../../text/words';

export type Direction = 'inbound' | 'outbound';

/** Texts that stand in place of a value, without full stops at the ends of words: `k. a.` is `k a`. */
export const NO_VALUES = setOf(`
	-, --, n/a, n.a, na, nil, nan, null, none, undefined, unknown, true, false, not provided,
	not specified, not available, not applicable, k.a, k a, n/d, s/d, n.v.t, nvt, string,
	no summary, no summary available, summary not available, summary unavailable,
	transcript too short to summarize, no transcript available,
	transcript not available, transcript unavailable, transcript pending, transcription failed
`);

/** Words and phrases in place of a hidden number. */
export const WITHHELD_WORDS = splitList(`
	anonymous, restricted, private, blocked, withheld, unavailable, unknown, hidden, suppressed,
	anonym, unbekannt, unbekannter, unterdrückt, anonyme, inconnu, inconnue, masqué, privé,
	desconocido, desconocida, anónimo, oculto, privado, desconhecido, desconhecida, sconosciuto,
	sconosciuta, nascosto, onbekend, anoniem, afgeschermd, okänd, ukjent, ukendt, tuntematon,
	nieznany, nieznana, anonimowy, ukryty, ismeretlen, rejtett, neznámý, neznámá, necunoscut,
	anonim, bilinmeyen, bilinmiyor, gizli, неизвестный, неизвестно, анонимный, скрытый, невідомий,
	άγνωστος, непознат, 未知, 匿名, 未知来电, 未知來電, 未知号码, 未知號碼, 不明, 不明な発信者, 非通知, 알 수 없음, 익명, 발신번호 표시제한,
	مجهول, رقم مجهول, غير معروف, לא ידוע, חסוי, אנונימי, अज्ञात, अनजान, ไม่ทราบ, không rõ, ẩn danh,
	tidak diketahui, out of area, unidentified, no caller id, unbekannte, não identificado, no identificado,
	zastrzeżony, prywatny, privato, riservato, verborgen, geheim, privatnummer, anonymer, unterdrückte,
	skjult, hemligt, dolt
`);
/** Words that may stand beside those of a hidden number: `unknown caller`. */
export const BESIDE_WITHHELD = splitList(`
	caller, call, number, id, cid, the, is, anrufer, nummer, appelant, numéro, número, llamante,
	chamador, chiamante, beller, numer, arayan, numara, абонент, номер, user, name, contact,
	customer, rufnummer, appel
`);

export const WITHHELD_NUMBERS = setOf(`
	266696687, 7378742883, 7378742833, 2562533, 86282452253, 8656696
`);

/** Texts before the `@` of an address that nobody reads: `no-reply`. */
export const NO_MAILBOXES = splitList(`
	no reply, do not reply, no email, no mail, no email provided, not provided, none, null,
	undefined, na, redacted, deleted, removed, masked, placeholder, invalid, no name, keine,
	keine email, sin email, sin correo, sem email, pas demail, sans email, nessuna, brak,
	not available, example
`);

export const DIRECTIONS = groupsOf<Direction>({
	inbound: 'inbound, incoming, received, in, eingehend, entrante, entrant',
	outbound: 'outbound, outgoing, placed, out, ausgehend, saliente, sortant',
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
	session, hangup, sip, pstn, dialer
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

/* Words of texts that stand in place of a person's name, in lower case. Accents make no difference. */

/** Words that no name has: `Caller did not give a name` */
export const DENIALS = splitList(`
	not, never, cannot, unable, didn, doesn, wasn, couldn, hasn, nicht, kein, keine, keinen, niet, geen, inte,
	ikke, ikkje, není, nincs, değil, не, нет, немає, δεν, לא, لم, غير, नहीं, tidak, belum, 않음, 없음, undefined,
	unknown, unbekannt
`);

/**
 * Words for a missing value, for being stated, and for people without a name. A text of these is no name, nor is one that
 * goes on with such a word in lower case: see `isSentence` in names.ts.
 */
export const NO_NAMES = splitList(`
	${CUSTOMERS},
	wireless, voicemail, caller, cellular, cell, mobile, phone, toll, call, landline, none, given, provided,
	available, specified, stated, mentioned, disclosed, shared, captured, collected, identified, set,
	declined, refused, name, first, last, empty, missing, undefined, null, nil, tbd, test, user, someone,
	person, unnamed, noname, nameless, redacted, removed, deleted, masked, confidential, pii, spam, likely,
	risk, scam, firstname, lastname, string, incoming, inbound, outbound, potential, fraud, robocall,
	telemarketer, unspecified, placeholder, information, applicable, there, inaudible, unclear, wrong, prank, answer, answering, machine,
	automated, system, mother, same, as, queue, yes, okay, hello, datos, danych, onbekende,
	homeowner, namen, bestandskunde, belirsiz, お客様, 未知用户, لا يوجد, 미상, 聞き取れず,
	neukunde, interessent, interessentin,
	angabe, angegeben, genannt, mitgeteilt, erwähnt, anrufer, anruferin, kunde, kundin, namenlos,
	nombre, información, cliente, clienta, usuario, usuaria, llamante, mencionado, mencionó,
	proporcionado, proporcionó, especificado, indicado, informado, disponible, dio,
	nome, informação, usuário, usuária, fornecido, disponível, mencionada,
	nom, renseigné, mentionné, précisé, fourni, indiqué, communiqué, donné, spécifié, appelant, utilisateur,
	informazione, menzionato, fornito, specificato, indicato, dichiarato, disponibile, chiamante, utente,
	naam, opgegeven, genoemd, vermeld, beller, klant, gebruiker,
	namn, navn, angivet, angiven, nämnt, saknas, kund, kunden, uppringare, oppgitt, oplyst, nevnt, nævnt,
	innringer, nimi, tiedossa, mainittu, asiakas, soittaja,
	podano, wspomniano, dotyczy, imienia, brak, klient, klientka, rozmówca, neuvedeno, zákazník, volající,
	említette, megadva, ügyfél, menționat, specificat, isim, isimsiz, belirtilmemiş, belirtilmedi, müşteri,
	имени, имя, указано, назвал, клиент, клієнт, вказано, αναφέρθηκε,
	disebutkan, pelanggan, penelepon, nama, khách hàng, cấp, cập,
	无, 不详, 提及, 提到, 提供, 填写, 填寫, 设置, 说明, 告知, 姓名, 名字, 客户, 客戶, 顧客, 先生, 女士, 言及, 記載,
	名前, なし, 이름, 고객, 고객님, 언급, اسم, ระบุ, ชื่อ
`);

/** Words beside them: negations that may be names, articles, pronouns, words of the conversation, sources of leads. */
export const BESIDE_NO_NAMES = splitList(`
	no, non, n, a, to, give, say, free, new, valued, existing, returning, support, por, par, pelo, dal, web, website, google, facebook, ads, unsaved, the, an, s, was, is, by, in, of, for, or, maybe, it, with, have, his, her, their, during,
	conversation, transcript, this, male, female, der, die, ein, eine, im, gespräch, ohne, bekannt, wurde,
	sin, se, su, el, la, en, llamada, sem, não, o, um, uma, pas, le, l, un, une, son, aucun, sans, senza,
	ha, il, suo, nessun, nessuna, de, een, ej, ei, nie, nem, nu, fost, yok, без, ні, tanpa, không, cung, tên,
	đề, có, 未, 没有, 沒有, 中, は, されていません, بدون, ไม่, ไม่ได้
`);

/** Words before a name, without dots: `Dr. Ada Lovelace` */
export const TITLES = setOf(`
	mr, mrs, ms, miss, mx, dr, prof, professor, sir, madam, herr, frau, herrn, mme, mlle, monsieur, madame,
	mister, doctor, maam, family, familie, familia, famille, fräulein, sra, srta, señorita, doña, signorina,
	mevrouw, meneer, fru, господин, госпожа,
	señor, señora, senhor, senhora, signor, signora, dhr, mevr, med, rer, nat, phil, jur, ing, dipl
`);

/** Words in labels of what is somebody else's: `Wife: Ann King`, `+1415… (fax)` */
export const OF_OTHERS = setOf(`
	husband, wife, spouse, partner, mother, father, mom, dad, parent, son, daughter, brother, sister, child, friend,
	neighbor, assistant, emergency, referred, for, agent, rep, fax, wrong, old, ehemann, ehefrau, mann, frau, mutter,
	vater, sohn, tochter, notfall, esposo, esposa, marido, mujer, madre, padre, mari, femme, mère, père, moglie
`);

/* Names and roles in the turns of transcripts. */

/** Fields of a turn that hold the spoken words, the best first. */
export const TEXT_FIELDS: readonly string[] = splitList(`
	content, text, message, utterance, transcript, sentence, body, speech, phrase, en text
`);
/** Fields of a turn that hold the speaker, the best first. */
export const SPEAKER_FIELDS: readonly string[] = splitList(`
	speaker name, role, speaker, speaker label, speaker role, speaker type, party, participant role,
	participant type, sender, author, user, name, user id, identifier, participant, participant id,
	speaker id, channel, source
`);

const SILENT_ROLES = 'system, tool, function, developer, action, event, node';
/** Roles that are not speech. Their turns are dropped. */
export const SILENT = setOf(SILENT_ROLES);
/** All roles, with those of speech. */
export const ROLES = setOf(`${SILENT_ROLES}, user, assistant, agent, bot, ai, human, customer`);

/** The codes of American states and Canadian provinces, which end a carrier's name of a place: `NEW YORK NY` */
export const REGIONS = setOf(`
	AL, AK, AZ, AR, CA, CO, CT, DE, DC, FL, GA, HI, ID, IL, IN, IA, KS, KY, LA, ME, MD, MA, MI, MN, MS,
	MO, MT, NE, NV, NH, NJ, NM, NY, NC, ND, OH, OK, OR, PA, PR, RI, SC, SD, TN, TX, UT, VT, VA, WA, WV,
	WI, WY, AB, BC, MB, NB, NL, NS, ON, PE, QC, SK
`);
