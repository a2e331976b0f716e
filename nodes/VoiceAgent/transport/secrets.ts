import { TOKEN_PARAMETER } from './callbackUrl';

/*
 * The one home for hiding. A plain search: secrets are found by their value, by its JSON and URL
 * encoding, and by what stands before them. Stronger disguises (Base64 of a URL, `\u` escapes) are not
 * searched for, and SECURITY.md says so.
 */

const MASK = '***';

/** Between the name and the value of a field, also where the JSON is a text in JSON. */
const ASSIGNS = String.raw`\\{0,9}["']\s{0,9}(?::|=>)\s{0,9}\\{0,9}["']`;

/** `?voice_agent_token=abc` → `?voice_agent_token=***`, also within a URL within a URL. */
const TOKEN_RULE = new RegExp(`(${TOKEN_PARAMETER}(?:=|%(?:25){0,9}3D|${ASSIGNS}))[\\w-]+`, 'g');

/** The prefixes of API keys (contract, section 2) and of Standard Webhooks' signing secrets. */
const PREFIX_RULE = /(svc_live_|whsec_)(?:[\w.~+/=$!*%-]|\\\/)+/g;

/** `"signing_key": "abc"` → `"signing_key": "***"`, `client_secret=abc` → `client_secret=***` */
const FIELD_RULE = new RegExp(`((?:secret|signing[_-]?key)(?:=|${ASSIGNS}))[^\\s&"'<>\\\\]+`, 'gi');

/** What is searched for beside the known secrets. */
interface Kind {
	/** Global; the first group of each stays. */
	rules: RegExp[];
	/** The names of fields whose texts are secrets, also further down. */
	fields: RegExp;
	/** Shorter secrets, texts and names would be met by chance, or hold nothing of all this. */
	shortest: number;
}

const IN_EVENT: Kind = {
	rules: [TOKEN_RULE],
	fields: new RegExp(`^${TOKEN_PARAMETER}$`),
	shortest: 12,
};

const IN_ERROR: Kind = {
	rules: [TOKEN_RULE, PREFIX_RULE, FIELD_RULE],
	fields: new RegExp(`^${TOKEN_PARAMETER}$|(secret|signing[_-]?key)$`, 'i'),
	shortest: 6,
};

interface Search extends Kind {
	/** The known secrets in all their spellings. */
	spellings: string[];
}

/**
 * Hides the known secrets and every callback token of a URL: for data that otherwise has to stay as it
 * is, such as an event, or a key that was just created.
 *
 * @param value a text or any JSON value, however deeply it is nested
 * @param known secrets by their values, such as the API key or the token of a delivery; what has less
 *   than 12 characters is not searched for
 * @returns a copy in which each secret is `***`, in the names of fields too; the value itself, where
 *   it holds none
 */
export function hideSecrets<T>(value: T, known: string[]): T {
	return withoutSecrets(value, known, IN_EVENT);
}

/**
 * Hides what `hideSecrets` does, and all that looks like an API key or a signing secret by its
 * prefix or by the name of its field: for errors, and for what goes to an AI model.
 */
export function hideAllSecrets<T>(value: T, known: string[]): T {
	return withoutSecrets(value, known, IN_ERROR);
}

/**
 * Tells whether a text shows a secret's place rather than the secret: one character repeated, stars,
 * dots, bullets or x's, with or without a head or a tail that is shown, or a word for it.
 */
export function looksMasked(text: string): boolean {
	return (
		/^(.?)\1*$/su.test(text) ||
		/\*{3}|\.{3}|[…•●∙·]|x{6}|X{6}|x{4}$|X{4}$|(.)\1{7}/u.test(text) ||
		/^[[(<{].*[\])>}]$|redacted|hidden|masked|filtered/is.test(text)
	);
}

/** Each secret as it stands in a text, in JSON (where `/` may be escaped) and in a URL. */
function spellingsOf(known: string[], shortest: number): string[] {
	const spellings = known
		.filter(({ length }) => length >= shortest)
		.flatMap((secret) => {
			const inJson = JSON.stringify(secret).slice(1, -1);
			// By way of UTF-8, for half a character has no URL encoding.
			const inUrl = encodeURIComponent(Buffer.from(secret).toString());
			const inSmall = inUrl.replace(/%../g, (encoded) => encoded.toLowerCase());
			return [secret, inJson, inJson.replaceAll('/', '\\/'), inUrl, inSmall];
		});
	// The longer ones first: a secret may be part of another.
	return [...new Set(spellings)].sort((one, other) => other.length - one.length);
}

function withoutSecrets<T>(value: T, known: string[], kind: Kind): T {
	const search = { ...kind, spellings: spellingsOf(known, kind.shortest) };
	// Few values hold anything to hide, and a copy of a large one takes long.
	return holdsSecret(value, search) ? (copyHidden(value, search) as T) : value;
}

function holdsSecret(value: unknown, search: Search): boolean {
	const todo = [value];
	while (todo.length > 0) {
		const next = todo.pop();
		if (typeof next === 'string') {
			if (isInText(next, search)) return true;
		} else if (Array.isArray(next)) {
			for (const entry of next) todo.push(entry);
		} else {
			for (const name in next as object) {
				if (isSecretField(name, search) || isInText(name, search)) return true;
				const field = (next as Record<string, unknown>)[name];
				const isText = typeof field === 'string';
				if (isText && isInText(field, search)) return true;
				if (typeof field === 'object' && field !== null) todo.push(field);
			}
		}
	}
	return false;
}

function copyHidden(value: unknown, search: Search): unknown {
	const root = { value };
	const todo = [{ from: root as object, to: root as object, isSecret: false }];
	for (let copy = todo.pop(); copy; copy = todo.pop()) {
		const { from, to } = copy;
		for (const [name, field] of Object.entries(from) as Array<[string, unknown]>) {
			const isSecret = copy.isSecret || isSecretField(name, search);
			// The leading part of a key, by which a person tells it from others (contract, section 2).
			const inField = name === 'prefix' ? { ...search, rules: [TOKEN_RULE] } : search;
			let shown = field;
			if (typeof field === 'string') shown = isSecret ? field && MASK : hideInText(field, inField);
			if (typeof field === 'object' && field !== null) {
				shown = Array.isArray(field) ? [] : {};
				todo.push({ from: field, to: shown as object, isSecret });
			}
			setField(to, hideInText(name, search), shown);
		}
	}
	return root.value;
}

/** Sets a field of a copy, whatever its name: `__proto__` too, and two that differ in their secrets alone. */
function setField(copy: object, name: string, value: unknown): void {
	const isTaken = name.includes(MASK) && Object.hasOwn(copy, name);
	const free = isTaken ? `${name} (${Object.keys(copy).length + 1})` : name;
	Object.defineProperty(copy, free, {
		value,
		enumerable: true,
		writable: true,
		configurable: true,
	});
}

function isSecretField(name: string, { fields, shortest }: Search): boolean {
	return name.length >= shortest && fields.test(name);
}

function isInText(text: string, { spellings, rules, shortest }: Search): boolean {
	if (text.length < shortest) return false;
	return (
		spellings.some((spelling) => text.includes(spelling)) ||
		rules.some((rule) => text.search(rule) >= 0)
	);
}

function hideInText(text: string, search: Search): string {
	if (!isInText(text, search)) return text;
	let hidden = text;
	for (const spelling of search.spellings) hidden = hidden.replaceAll(spelling, MASK);
	for (const rule of search.rules) hidden = hidden.replace(rule, `$1${MASK}`);
	return hidden;
}
