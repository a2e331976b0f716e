import { TOKEN_PARAMETER } from './callbackUrl';

/*
 * The one home for hiding. What came from outside may repeat a secret in any escaping, so a text is
 * searched as it stands and again each time one layer of escapes is taken off it; what is found is
 * hidden where it stands in the text as it came.
 */

const MASK = '***';

/** Shorter values would be met in any text by chance. */
const SHORTEST_SECRET = 4;
const SHORTEST_BASE64 = 8;

/** Layers of escapes that are taken off, at the most: more than any echo of an echo has. */
const MOST_LAYERS = 8;

/** A place in a text: from its first character to the one after its last. */
type Span = [start: number, end: number];

/** A secret that is known by what stands before it. */
interface Rule {
	/** Global. */
	head: RegExp;
	/** Sticky: a piece of the secret, which begins right after the head and goes on while it fits. */
	secret: RegExp;
}

/** What stands for a known secret, and how many characters beside it hold a part of it too. */
interface Spelling {
	text: string;
	before: number;
	after: number;
}

interface Search {
	values: Spelling[];
	rules: Rule[];
	/** The names of fields whose texts are secrets, also further down. */
	fields: RegExp;
	/** A shorter text holds nothing that is searched for: taking escapes off makes none longer. */
	shortest: number;
}

const ASSIGNS = String.raw`\s{0,9}(?::|=>?)\s{0,9}`;

const TOKEN_RULE: Rule = {
	head: new RegExp(`${TOKEN_PARAMETER}(?:=|["']${ASSIGNS}["'])`, 'gi'),
	secret: /[\w-]+/y,
};

/** By the prefixes of API keys (contract, section 2) and of Standard Webhooks' signing secrets. */
const PREFIX_RULE: Rule = { head: /svc_live_|whsec_/g, secret: /[\w.~+/=$!*-]+/y };

const SECRET_NAME = '(?:secret|signing[_-]?key)';

const FIELD_RULES: Rule[] = [
	{
		head: new RegExp(`${SECRET_NAME}["']?${ASSIGNS}"`, 'gi'),
		secret: /[^"\\]+|\\[^]/y,
	},
	{
		head: new RegExp(`${SECRET_NAME}["']?${ASSIGNS}'`, 'gi'),
		secret: /[^'\\]+|\\[^]/y,
	},
	{ head: new RegExp(`${SECRET_NAME}=`, 'gi'), secret: /[^\s&"'<>]+/y },
];

const TOKEN_FIELD = new RegExp(`^${TOKEN_PARAMETER}$`, 'i');
const SECRET_FIELD = new RegExp(`^${TOKEN_PARAMETER}$|${SECRET_NAME}$`, 'i');

/**
 * Hides the known secrets, in whatever escaping, and every callback token of a URL: for data that
 * otherwise has to stay as it is, such as an event, or a key that was just created.
 *
 * @param value a text or any JSON value
 * @param known secrets by their values, such as the API key or the token of a delivery; what is too
 *   short to be a secret is left
 * @returns a copy in which each secret is `***`, in the names of fields too; the value itself, where
 *   it holds none
 */
export function hideSecrets<T>(value: T, known: string[]): T {
	const values = known.flatMap(spellingsOf);
	return withoutSecrets(value, {
		values,
		rules: [TOKEN_RULE],
		fields: TOKEN_FIELD,
		shortest: Math.min(TOKEN_PARAMETER.length, ...values.map(({ text }) => text.length)),
	});
}

/**
 * Hides what `hideSecrets` does, and all that looks like an API key or a signing secret by its
 * prefix or by the name of its field: for errors, and for what goes to an AI model.
 */
export function hideAllSecrets<T>(value: T, known: string[]): T {
	return withoutSecrets(value, {
		values: known.flatMap(spellingsOf),
		rules: [TOKEN_RULE, PREFIX_RULE, ...FIELD_RULES],
		fields: SECRET_FIELD,
		shortest: SHORTEST_SECRET,
	});
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

function withoutSecrets<T>(value: T, search: Search): T {
	return isConcerned(value, search) ? (hide(value, search) as T) : value;
}

/** Tells whether a value holds anything to hide: few do, and a copy of a large one takes long. */
function isConcerned(value: unknown, search: Search): boolean {
	if (typeof value === 'string') return hideInText(value, search) !== value;
	if (Array.isArray(value)) return value.some((entry) => isConcerned(entry, search));
	if (typeof value !== 'object' || value === null) return false;
	return Object.entries(value).some(
		([name, field]) =>
			(name.length >= search.shortest && search.fields.test(name)) ||
			isConcerned(name, search) ||
			isConcerned(field, search),
	);
}

/** @param whole whether every text is a secret, as below a field that is named so */
function hide(value: unknown, search: Search, whole = false): unknown {
	if (typeof value === 'string') return whole ? value && MASK : hideInText(value, search);
	if (Array.isArray(value)) return value.map((entry) => hide(entry, search, whole));
	if (typeof value !== 'object' || value === null) return value;
	const hidden = new Map<string, unknown>();
	for (const [name, field] of Object.entries(value)) {
		const shown = hideInText(name, search);
		// The leading part of a key, by which a person tells it from others (contract, section 2).
		const inField = name === 'prefix' ? { ...search, rules: [TOKEN_RULE] } : search;
		hidden.set(
			// Two URLs may differ in their tokens alone.
			hidden.has(shown) ? `${shown} (${hidden.size + 1})` : shown,
			hide(field, inField, whole || search.fields.test(name)),
		);
	}
	return Object.fromEntries(hidden);
}

function hideInText(text: string, search: Search): string {
	if (text.length < search.shortest) return text;
	const found: Span[] = [];
	let layer: Layer | undefined = { text };
	for (let layers = 0; layer && layers <= MOST_LAYERS; layers++) {
		const { at } = layer;
		for (const [start, end] of find(layer.text, search)) {
			found.push(at ? [at[start] as number, at[end] as number] : [start, end]);
		}
		layer = peel(layer);
	}
	return found.length > 0 ? mask(text, found) : text;
}

function find(text: string, { values, rules }: Search): Span[] {
	const found: Span[] = [];
	for (const value of values) {
		// From the next character on, since a secret may overlap with itself.
		for (let at = text.indexOf(value.text); at >= 0; at = text.indexOf(value.text, at + 1)) {
			found.push([
				Math.max(at - value.before, 0),
				Math.min(at + value.text.length + value.after, text.length),
			]);
		}
	}
	for (const { head, secret } of rules) {
		head.lastIndex = 0;
		while (head.test(text)) {
			const start = head.lastIndex;
			let end = start;
			for (secret.lastIndex = start; secret.test(text); ) end = secret.lastIndex;
			if (end === start) continue;
			found.push([start, end]);
			// What is hidden need not be looked through: it may hold as many heads as it likes.
			head.lastIndex = end;
		}
	}
	return found;
}

function mask(text: string, spans: Span[]): string {
	let masked = '';
	let end = -1;
	for (const span of spans.sort((one, other) => one[0] - other[0])) {
		if (span[0] > end) masked += text.slice(Math.max(end, 0), span[0]) + MASK;
		end = Math.max(end, span[1]);
	}
	return masked + text.slice(end);
}

/**
 * A secret as it may stand in a text: as it is, with some of its own escapes taken for such, in a
 * form (`+` for a blank), and within base64 of which it begins at any of three offsets.
 */
function spellingsOf(secret: string): Spelling[] {
	const plain = new Set<string>();
	let layer: Layer | undefined = { text: secret };
	for (let layers = 0; layer && layers <= MOST_LAYERS; layers++) {
		plain.add(layer.text).add(layer.text.replaceAll(' ', '+'));
		layer = peel(layer);
	}
	const inBase64 = new Set([secret, JSON.stringify(secret).slice(1, -1)]);
	return [
		...[...plain].map((text) => ({ text, before: 0, after: 0 })),
		...[...inBase64].flatMap((text) => [0, 1, 2].flatMap((offset) => base64Of(text, offset))),
	].filter(({ text }) => text.length >= SHORTEST_SECRET);
}

/** The characters of base64 that depend on the secret alone; those beside them do in part. */
function base64Of(secret: string, offset: number): Spelling[] {
	const bytes = Buffer.from(' '.repeat(offset) + secret);
	const start = Math.ceil((offset * 8) / 6);
	const end = Math.floor((bytes.length * 8) / 6);
	const spellings = new Set([bytes.toString('base64'), bytes.toString('base64url')]);
	return [...spellings]
		.map((text) => text.slice(start, end))
		.filter((text) => text.length >= SHORTEST_BASE64)
		.map((text) => ({ text, before: offset && 1, after: bytes.length % 3 && 1 }));
}

/** A text with some layers of escapes taken off. */
interface Layer {
	text: string;
	/** Where each character stands in the text as it came, and where that ends; as it is, if unset. */
	at?: Uint32Array;
}

/** One escaped character: percent-encoded UTF-8 (else Latin-1), of JSON or JavaScript, or of HTML. */
const ESCAPE =
	/%(?:[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-7](?:%[89ab][\da-f]){3}|[\da-f]{2})|\\(?:u[\da-f]{4}|x[\da-f]{2}|[^ux])|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,7});/gi;

const CONTROLS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The names that HTML has for the characters of ASCII. */
const ENTITIES: Record<string, string> = {
	...{ tab: '\t', newline: '\n', excl: '!', quot: '"', num: '#', dollar: '$', percnt: '%' },
	...{ amp: '&', apos: "'", lpar: '(', rpar: ')', ast: '*', plus: '+', comma: ',', period: '.' },
	...{ sol: '/', colon: ':', semi: ';', lt: '<', equals: '=', gt: '>', quest: '?', commat: '@' },
	...{ lsqb: '[', bsol: '\\', rsqb: ']', hat: '^', lowbar: '_', grave: '`' },
	...{ lcub: '{', verbar: '|', rcub: '}' },
};

/** Takes one layer of escapes off; undefined where there is none. */
function peel({ text, at }: Layer): Layer | undefined {
	if (text.search(ESCAPE) < 0) return undefined;
	const places = new Uint32Array(text.length + 1);
	const parts: string[] = [];
	let from = 0;
	let length = 0;
	const place = (index: number) => (places[length++] = at ? (at[index] as number) : index);
	const copy = (to: number) => {
		parts.push(text.slice(from, to));
		for (; from < to; from++) place(from);
	};
	for (const { 0: escape, index } of text.matchAll(ESCAPE)) {
		const meant = meaningOf(escape);
		if (meant === undefined) continue;
		copy(index);
		parts.push(meant);
		for (let units = meant.length; units > 0; units--) place(index);
		from = index + escape.length;
	}
	if (from === 0) return undefined;
	copy(text.length);
	place(text.length);
	return { text: parts.join(''), at: places };
}

function meaningOf(escape: string): string | undefined {
	if (escape.startsWith('%')) {
		return escape.length === 3
			? String.fromCharCode(Number.parseInt(escape.slice(1), 16))
			: Buffer.from(escape.replaceAll('%', ''), 'hex').toString();
	}
	if (escape.startsWith('\\')) {
		const character = escape.charAt(1);
		return escape.length > 2
			? String.fromCharCode(Number.parseInt(escape.slice(2), 16))
			: (CONTROLS[character] ?? character);
	}
	if (!escape.startsWith('&#')) return ENTITIES[escape.slice(1, -1).toLowerCase()];
	const isHex = /^&#x/i.test(escape);
	const code = Number.parseInt(escape.slice(isHex ? 3 : 2), isHex ? 16 : 10);
	return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
