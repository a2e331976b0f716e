/* Words of texts that stand in place of a person's name, in lower case. Accents make no difference. */
import { listed, setOf } from '../../text/words';
import { CUSTOMERS } from './partyNames';

/** Words that no name has: `Caller did not give a name` */
export const DENIALS = listed(`
	not, cannot, unable, didn, doesn, wasn, couldn, hasn, nicht, kein, keine, keinen, niet, geen, inte,
	ikke, ikkje, není, nincs, değil, не, нет, немає, δεν, לא, لم, غير, नहीं, tidak, belum, 않음, 없음
`);

/** Words for a missing value, for being stated, and for people without a name. A text of these is no name. */
export const NO_NAMES = listed(`
	${CUSTOMERS},
	wireless, caller, cellular, cell, mobile, phone, toll, call, landline, none, given, provided,
	available, specified, stated, mentioned, disclosed, shared, captured, collected, identified, set,
	declined, refused, name, first, last, empty, missing, undefined, null, nil, tbd, test, user, someone,
	person, unnamed, noname, nameless, redacted, removed, deleted, masked, confidential, pii, spam, likely,
	risk, scam, firstname, lastname, string, incoming, inbound, outbound, potential, fraud, robocall,
	telemarketer, unspecified, placeholder, information, applicable,
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
	名前, なし, 이름, 고객, 언급, اسم, ระบุ, ชื่อ
`);

/** Words beside them: negations that may be names, articles, pronouns, and words of the conversation. */
export const BESIDE_NO_NAMES = listed(`
	no, non, n, a, to, give, say, free, new, the, an, s, was, is, by, in, of, for, his, her, their, during,
	conversation, transcript, this, male, female, der, die, ein, eine, im, gespräch, ohne, bekannt, wurde,
	sin, se, su, el, la, en, llamada, sem, não, o, um, uma, pas, le, l, un, une, son, aucun, sans, senza,
	ha, il, suo, nessun, nessuna, de, een, ej, ei, nie, nem, nu, fost, yok, без, ні, tanpa, không, cung, tên,
	đề, có, 未, 没有, 沒有, 中, は, されていません, بدون, ไม่, ไม่ได้
`);

/** The codes of American states and Canadian provinces, which end a carrier's name of a place: `NEW YORK NY` */
export const REGIONS = setOf(`
	AL, AK, AZ, AR, CA, CO, CT, DE, DC, FL, GA, HI, ID, IL, IN, IA, KS, KY, LA, ME, MD, MA, MI, MN, MS,
	MO, MT, NE, NV, NH, NJ, NM, NY, NC, ND, OH, OK, OR, PA, PR, RI, SC, SD, TN, TX, UT, VT, VA, WA, WV,
	WI, WY, AB, BC, MB, NB, NL, NS, ON, PE, QC, SK
`);

/** Words that belong to the last name behind them: `Ada van der Berg` */
export const PARTICLES = setOf(`
	van, von, vom, vander, den, der, het, ter, ten, te, 't, zu, zum, zur, de, del, della, dello, degli, dei,
	di, da, das, dos, do, du, des, la, las, le, les, los, lo, af, av, bin, bint, ibn, al, el, st, st., saint
`);

/** Words behind a last name, without dots: `Martin Luther King Jr.` */
export const SUFFIXES = setOf(
	'jr, sr, junior, senior, ii, iii, iv, md, phd, dds, esq, msc, mba, rn',
);

/** Words before a name, without dots: `Dr. Ada Lovelace` */
export const TITLES = setOf(`
	mr, mrs, ms, miss, mx, dr, prof, professor, sir, madam, herr, frau, herrn, mme, mlle, monsieur, madame,
	señor, señora, senhor, senhora, signor, signora, dhr, mevr, med, rer, nat, phil, jur, ing, dipl
`);
