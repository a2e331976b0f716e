import { TOKEN_PARAMETER } from '../auth/token';

/*
 * The texts by which secrets are recognised whose values are unknown, by the place where they are searched. Each
 * repetition has a bound: without one, V8 fails in a text of megabytes.
 */

/** The text between the name and the value of a field: `": "`, `' => '`; in JSON within JSON `\": \"` */
const ASSIGNS = String.raw`\\{0,9}["']\s{0,9}(?::|=>)\s{0,9}\\{0,9}["']`;

/** `?voice_agent_token=abc` → `?voice_agent_token=***`, also within a URL within a URL. */
const TOKEN_RULE = new RegExp(
	`(${TOKEN_PARAMETER}(?:=|%(?:25){0,9}3D|${ASSIGNS}))[\\w-]{1,99999}`,
	'g',
);

/** The prefixes of API keys (docs/the-service.md) and of Standard Webhooks' signing secrets. */
export const SECRET_PREFIXES = ['svc_live_', 'whsec_'];

/** `svc_live_abc` → `svc_live_***` */
const PREFIX_RULE = /(svc_live_|whsec_)(?:[\w.~+/=$!*%-]|\\\/){1,99999}/g;

/** `Authorization: Bearer abcdefghijklmnop` → `Authorization: Bearer ***`, but not `Bearer of good news` */
const BEARER_RULE = /(bearer(?:\s|%20|\+|\\{1,9}u0020){1,99})[\w.~+/-]{16,99999}={0,9}/gi;

/**
 * The most characters of a `prefix` of an API key, which shows which key it is (docs/the-service.md). A key has more.
 */
const LONGEST_PREFIX = 'svc_live_'.length + 12;

/** The ends of the names of fields that hold a secret. */
const SECRET_NAME = 'secret|signing[_-]?key|password|authorization|api[_-]?key|access[_-]?token';

/** `"signing_key": "abc"` → `"signing_key": "***"`, `client_secret=abc` → `client_secret=***` */
const FIELD_RULE = new RegExp(
	`((?:${SECRET_NAME})(?:=|${ASSIGNS}))(?:basic\\s)?[^\\s&"'<>\\\\]{1,99999}`,
	'gi',
);

/** The secrets that are searched for in an event, beside the known ones. */
const IN_EVENT = {
	/** Global expressions; the first group of each is kept. */
	rules: [TOKEN_RULE, BEARER_RULE, PREFIX_RULE],
	/** Names of fields with secrets: each text in them is hidden. */
	fields: new RegExp(`^${TOKEN_PARAMETER}$`),
	/** Shorter secrets would match other texts by chance. Shorter texts and names contain no secret. */
	shortest: 12,
};

type SecretSearch = typeof IN_EVENT;

/** In an answer of the service, callback tokens are read, and a created secret is shown once. */
const IN_ANSWER: SecretSearch = { rules: [], fields: /(?!)/, shortest: IN_EVENT.shortest };

const IN_OUTPUT: SecretSearch = {
	rules: [...IN_EVENT.rules, FIELD_RULE],
	fields: new RegExp(`^${TOKEN_PARAMETER}$|(${SECRET_NAME})$`, 'i'),
	shortest: 6,
};

/*
 * Hides secrets. They are found by their value, by its JSON and URL encoding, and by the text before them:
 * `?voice_agent_token=abc` → `?voice_agent_token=***`. Base64 and `\u` escapes are not searched for (see
 * SECURITY.md).
 */

const MASK = '***';

/**
 * Hides the known secrets, every callback token, every bearer token, and secrets by their prefix, which an API key has
 * (docs/the-service.md): for an event, whichever way it comes.
 *
 * @param value a text or any JSON value
 * @param known secrets such as the API key or a callback token; those with less than 12 characters are
 *   ignored
 * @returns a copy in which each secret is `***`, in the names of fields too; the value itself if it
 *   contains none
 */
export const hideSecrets = valueHider(IN_EVENT);

/**
 * Hides the secrets of `hideSecrets`, and secrets by the name of their field: for messages,
 * lists, and all outputs but a created secret.
 */
export const hideAllSecrets = valueHider(IN_OUTPUT);

/** Hides secrets as `hideAllSecrets` does, in all texts of an error and of its causes, and returns the error. */
export function hideInError(error: Error, known: string[]): Error {
	for (let one: unknown = error; one instanceof Error; one = one.cause) {
		const texts = one as unknown as Record<string, unknown>;
		for (const name of ['message', 'description', 'stack']) {
			if (typeof texts[name] === 'string') texts[name] = hideAllSecrets(texts[name], known);
		}
	}
	return error;
}

/** Hides the known secrets only: for an answer of the service, before it is read. */
export const hideKnownSecrets = valueHider(IN_ANSWER);

/** Each secret as it stands in a text, in JSON (where `/` may be escaped) and in a URL. */
function spellingsOf(known: string[], shortest: number): string[] {
	const spellings = known
		.filter(({ length }) => length >= shortest)
		.flatMap((secret) => {
			const inJson = JSON.stringify(secret).slice(1, -1);
			// Via UTF-8: a lone surrogate has no URL encoding.
			const inUrl = encodeURIComponent(Buffer.from(secret).toString());
			const inSmall = inUrl.replace(/%../g, (encoded) => encoded.toLowerCase());
			return [secret, inJson, inJson.replaceAll('/', '\\/'), inUrl, inSmall];
		});
	// The longer ones first: a secret may be part of another.
	return [...new Set(spellings)].sort((one, other) => other.length - one.length);
}

function valueHider(kind: SecretSearch) {
	return <T>(value: T, known: string[]): T => withoutSecrets(value, known, kind);
}

function withoutSecrets<T>(value: T, known: string[], kind: SecretSearch): T {
	const hide = textHider(known, kind);
	const root = { value };
	const todo = [{ from: root as object, to: root as object, isSecret: false }];
	let isChanged = false;
	const hidden = (field: unknown, isSecret: boolean, name?: string): unknown => {
		if (typeof field === 'object' && field !== null) {
			const to = Array.isArray(field) ? [] : {};
			todo.push({ from: field, to, isSecret });
			return to;
		}
		const shown = typeof field === 'string' ? hide(field, name, isSecret) : field;
		isChanged ||= shown !== field;
		return shown;
	};
	for (let copy = todo.pop(); copy; copy = todo.pop()) {
		const { from, to, isSecret } = copy;
		if (Array.isArray(from)) {
			for (const entry of from as unknown[]) (to as unknown[]).push(hidden(entry, isSecret));
			continue;
		}
		for (const [name, field] of Object.entries(from) as Array<[string, unknown]>) {
			const isOfSecret = name.length >= kind.shortest && kind.fields.test(name);
			const shownName = hide(name);
			isChanged ||= shownName !== name;
			const value = hidden(field, isSecret || isOfSecret, name);
			// An assignment to `__proto__` would set no field.
			Object.defineProperty(to, shownName, { ...PLAIN_FIELD, value });
		}
	}
	return isChanged ? root.value : value;
}

const PLAIN_FIELD = { enumerable: true, writable: true, configurable: true };

/**
 * Makes a function that hides the secrets in a text.
 *
 * @returns the function of the text, of the name of its field, and of whether all of the text is a secret
 */
function textHider(known: string[], { rules, shortest }: SecretSearch) {
	const spellings = spellingsOf(known, shortest);
	return (text: string, field = '', isSecret = false): string => {
		if (isSecret) return text && MASK;
		if (text.length < shortest) return text;
		let hidden = text;
		for (const spelling of spellings) hidden = hidden.replaceAll(spelling, MASK);
		const isPrefix = field === 'prefix' && text.length <= LONGEST_PREFIX;
		const applied = isPrefix ? [TOKEN_RULE] : rules;
		for (const rule of applied) hidden = hidden.replace(rule, `$1${MASK}`);
		return hidden;
	};
}
