import { TOKEN_PARAMETER } from '../auth/callbackUrl';

/* The texts by which secrets are recognised whose values are unknown, by the place where they are searched. */

/** The text between the name and the value of a field: `": "`, `' => '`; in JSON within JSON `\": \"` */
const ASSIGNS = String.raw`\\{0,9}["']\s{0,9}(?::|=>)\s{0,9}\\{0,9}["']`;

/** `?voice_agent_token=abc` → `?voice_agent_token=***`, also within a URL within a URL. */
export const TOKEN_RULE = new RegExp(
	`(${TOKEN_PARAMETER}(?:=|%(?:25){0,9}3D|${ASSIGNS}))[\\w-]+`,
	'g',
);

/** The prefixes of API keys (docs/the-service.md) and of Standard Webhooks' signing secrets. */
export const SECRET_PREFIXES = ['svc_live_', 'whsec_'];

/** `svc_live_abc` → `svc_live_***` */
const PREFIX_RULE = /(svc_live_|whsec_)(?:[\w.~+/=$!*%-]|\\\/)+/g;

/** `Authorization: Bearer abcdefghijklmnop` → `Authorization: Bearer ***`, but not `Bearer of good news` */
const BEARER_RULE = /(bearer(?:\s|%20|\+|\\{1,9}u0020)+)[\w.~+/-]{16,}=*/gi;

/** The most characters of a `prefix` of an API key, which shows which key it is (docs/the-service.md). A key has more. */
export const LONGEST_PREFIX = 'svc_live_'.length + 12;

/** The ends of the names of fields that hold a secret. */
const SECRET_NAME = 'secret|signing[_-]?key|password|authorization|api[_-]?key|access[_-]?token';

/** `"signing_key": "abc"` → `"signing_key": "***"`, `client_secret=abc` → `client_secret=***` */
const FIELD_RULE = new RegExp(
	`((?:${SECRET_NAME})(?:=|${ASSIGNS}))(?:basic\\s)?[^\\s&"'<>\\\\]+`,
	'gi',
);

/** The secrets that are searched for in an event, beside the known ones. */
export const IN_EVENT = {
	/** Global expressions; the first group of each is kept. */
	rules: [TOKEN_RULE, BEARER_RULE],
	/** Names of fields with secrets: each text in them is hidden. */
	fields: new RegExp(`^${TOKEN_PARAMETER}$`),
	/** Shorter secrets would match other texts by chance. Shorter texts and names contain no secret. */
	shortest: 12,
};

export type Kind = typeof IN_EVENT;

/** In an answer of the service, callback tokens are read, and a created secret is shown once. */
export const IN_ANSWER: Kind = { rules: [], fields: /(?!)/, shortest: IN_EVENT.shortest };

/** In an event of the log, the signing secret of its endpoint is not known. */
export const IN_LOGGED_EVENT: Kind = { ...IN_EVENT, rules: [...IN_EVENT.rules, PREFIX_RULE] };

export const IN_ERROR: Kind = {
	rules: [TOKEN_RULE, BEARER_RULE, PREFIX_RULE, FIELD_RULE],
	fields: new RegExp(`^${TOKEN_PARAMETER}$|(${SECRET_NAME})$`, 'i'),
	shortest: 6,
};
