/* Words of values, in lower case and in the singular. */

/** Texts that stand in place of a value. */
export const NO_VALUES = new Set([
	...['-', '--', 'n/a', 'na', 'nil', 'nan', 'null', 'none', 'undefined', 'unknown'],
	...['true', 'false', 'not provided', 'not specified', 'not available', 'not applicable'],
]);

/** Words in place of a hidden number, words beside them, and the same words typed on a keypad. */
export const WITHHELD_WORDS = new Set([
	...['anonymous', 'restricted', 'private', 'blocked', 'withheld', 'unavailable', 'unknown'],
	...['hidden', 'suppressed', 'anonym', 'unbekannt', 'unbekannter', 'unterdrückt', 'anonyme'],
	...['inconnu', 'inconnue', 'masqué', 'privé', 'desconocido', 'desconocida', 'anónimo'],
	...['oculto', 'privado', 'desconhecido', 'desconhecida', 'anônimo', 'sconosciuto'],
	...['anonimo', 'nascosto', 'onbekend', 'anoniem', 'afgeschermd', 'okänd', 'ukjent'],
	...['ukendt', 'tuntematon', 'nieznany', 'anonimowy', 'ukryty', 'ismeretlen', 'rejtett'],
	...['neznámý', 'necunoscut', 'bilinmeyen', 'bilinmiyor', 'gizli', 'неизвестный'],
	...['неизвестно', 'анонимный', 'скрытый', 'невідомий', 'άγνωστος', 'непознат', '未知'],
	...['匿名', '未知来电', '未知號碼', '不明', '非通知', '알수없음', '익명'],
	...['발신번호표시제한', 'مجهول', 'لאידוע', 'חסוי', 'אנונימי', 'अज्ञात', 'ไม่ทราบ', 'không'],
]);
export const BESIDE_WITHHELD = new Set([
	...['caller', 'call', 'number', 'id', 'cid', 'the', 'is', 'anrufer', 'nummer', 'appelant'],
	...['numéro', 'número', 'llamante', 'numero', 'chamador', 'chiamante', 'beller', 'numer'],
	...['arayan', 'numara', 'абонент', 'номер', 'user', 'name', 'contact', 'customer', 'rõ'],
]);

/** Words that name no person, if a name consists of them: `WIRELESS CALLER`, `Not provided`. */
export const NO_NAMES = new Set([
	...['wireless', 'caller', 'cellular', 'cell', 'mobile', 'phone', 'toll', 'free', 'call'],
	...['landline', 'no', 'not', 'none', 'given', 'provided', 'available', 'specified', 'set'],
	...['name', 'first', 'last', 'empty', 'missing', 'undefined', 'null', 'nil', 'n', 'a'],
	...['tbd', 'test', 'guest', 'user', 'customer', 'client', 'contact', 'lead', 'visitor'],
	...['noname', 'redacted', 'removed', 'deleted', 'masked', 'confidential', 'pii', 'spam'],
	...['likely', 'risk', 'scam', 'new', 'kein', 'keine', 'angabe', 'sin', 'nombre', 'sem'],
	...['nome', 'aucun', 'sans', 'nom', 'kunde', 'cliente', 'isimsiz', 'нет', 'имени', 'не'],
	...['указано', 'имя', '无', '不详', '没有', '顧客', '客户', '先生', '女士', '없음'],
]);
export const WITHHELD_NUMBERS = new Set(['266696687', '7378742833', '2562533', '8656696']);

/** Words before the `@` of an address that nobody reads: `no-reply`. */
export const NO_MAILBOXES = new Set([
	...['no', 'reply', 'noreply', 'email', 'mail', 'noemail', 'nomail', 'donotreply', 'do'],
	...['not', 'none', 'null', 'na', 'redacted', 'placeholder', 'invalid'],
]);

export const INBOUND = new Set(['inbound', 'incoming', 'received', 'in']);
export const OUTBOUND = new Set(['outbound', 'outgoing', 'placed', 'out']);
/** Words before `INITIATED`, for each side: `USER_INITIATED`. */
export const CUSTOMER_SIDE = new Set(['user', 'customer', 'caller', 'contact']);
export const AGENT_SIDE = new Set(['business', 'agent', 'company']);

/** Media that are no phone: `type: web_call`. */
export const WEB = new Set(['web', 'webrtc', 'webcall', 'website', 'widget', 'browser']);

/** Words of event types that are not about calls. */
export const OTHER_EVENTS = new Set([
	...['sms', 'mms', 'fax', 'email', 'message', 'appointment', 'booking', 'meeting', 'invoice'],
	...['payment', 'subscription', 'order', 'ticket', 'task', 'deal', 'campaign'],
]);
/** Words of event types and media that are about calls. */
export const CALL_EVENTS = new Set([
	...['call', 'calling', 'callback', 'conversation', 'chat', 'voice', 'voicemail', 'phone'],
	...['telephony', 'interaction', 'session', 'hangup'],
]);

/** Words for how a call ended, in fields of any meaning: `status`, `result`, `reason`. */
export const ENDS = new Set([
	...['abandoned', 'answer', 'answered', 'busy', 'cancel', 'canceled', 'cancelled', 'clearing'],
	...['complete', 'completed', 'congestion', 'connected', 'contacted', 'declined', 'disconnected'],
	...['done', 'dropped', 'end', 'ended', 'failed', 'finished', 'hangup', 'machine', 'missed'],
	...['noanswer', 'rejected', 'terminated', 'timeout', 'transferred', 'unanswered', 'unreachable'],
	...['voicemail'],
]);
/** Words beside them. Any other word is of something else that ended: `cancel order`. */
export const BESIDE_ENDS = new Set([
	...['no', 'not', 'did', 'normal', 'by', 'call', 'user', 'customer', 'caller', 'callee', 'agent'],
	...['assistant', 'answering', 'detected', 'left'],
]);
