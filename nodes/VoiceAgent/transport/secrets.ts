import { TOKEN_PARAMETER } from './callbackUrl';
import { ESCAPING, layersOf } from './escapes';

/*
 * The one home for hiding. What came from outside may repeat a secret in any escaping, so a text is
 * searched as it stands and again each time one layer of escapes is taken off it; what is found is
 * hidden where it stands in the text as it came.
 */

const MASK = '***';

/** Shorter values would be met in any text by chance. */
const SHORTEST_SECRET = 4;
const SHORTEST_BASE64 = 8;

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

/** What is hidden beside the known secrets. */
interface Kinds {
	rules: Rule[];
	/** The names of fields whose texts are secrets, also further down. */
	fields: RegExp;
	/** As long as the shortest head of a rule and name of a field, or shorter. */
	shortest: number;
}

interface Search extends Kinds {
	values: Spelling[];
	/** A shorter text holds none of these, which then need not be spelled out. */
	shortestValue: number;
	/** The characters of which all is that is searched for, see {@link hasRun}. */
	characters: Uint8Array;
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

const TOKENS: Kinds = {
	rules: [TOKEN_RULE],
	fields: new RegExp(`^${TOKEN_PARAMETER}$`, 'i'),
	shortest: TOKEN_PARAMETER.length,
};

const ALL: Kinds = {
	rules: [TOKEN_RULE, PREFIX_RULE, ...FIELD_RULES],
	fields: new RegExp(`^${TOKEN_PARAMETER}$|${SECRET_NAME}$`, 'i'),
	shortest: SHORTEST_SECRET,
};

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
	return withoutSecrets(value, known, TOKENS);
}

/**
 * Hides what `hideSecrets` does, and all that looks like an API key or a signing secret by its
 * prefix or by the name of its field: for errors, and for what goes to an AI model.
 */
export function hideAllSecrets<T>(value: T, known: string[]): T {
	return withoutSecrets(value, known, ALL);
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

function withoutSecrets<T>(value: T, known: string[], kinds: Kinds): T {
	const search = searchFor(known, kinds);
	return isConcerned(value, search) ? (hide(value, search) as T) : value;
}

function searchFor(known: string[], kinds: Kinds): Search {
	const secrets = known.filter(({ length }) => length >= SHORTEST_SECRET);
	const texts = secrets.flatMap((secret) => [...layersOf(secret)].map(({ text }) => text));
	const shortestValue = Math.max(SHORTEST_SECRET, Math.min(...texts.map(({ length }) => length)));
	let values: Spelling[] | undefined;
	return {
		...kinds,
		shortest: Math.min(kinds.shortest, shortestValue),
		shortestValue,
		characters: markedIn(WORDLIKE + ESCAPING + texts.join('')),
		get values() {
			return (values ??= secrets.flatMap(spellingsOf));
		},
	};
}

/** Tells whether a value holds anything to hide: few do, and a copy of a large one takes long. */
function isConcerned(value: unknown, search: Search): boolean {
	if (typeof value === 'string') {
		return hasRun(value, search) && hideInText(value, search) !== value;
	}
	if (typeof value !== 'object' || value === null) return false;
	if (Array.isArray(value)) {
		for (const entry of value) if (isConcerned(entry, search)) return true;
		return false;
	}
	for (const name in value) {
		const isLong = hasRun(name, search);
		if (isLong && (search.fields.test(name) || hideInText(name, search) !== name)) return true;
		if (isConcerned((value as Record<string, unknown>)[name], search)) return true;
	}
	return false;
}

/** The characters of base64, and of the names that rules and fields are known by. */
const WORDLIKE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_';

/** Marks the codes of characters, modulo 128: a few others are taken for one of them. */
function markedIn(characters: string): Uint8Array {
	const marks = new Uint8Array(128);
	for (let at = 0; at < characters.length; at++) marks[characters.charCodeAt(at) & 127] = 1;
	return marks;
}

/**
 * Tells whether a text has a run of characters that is long enough for what is searched for, which
 * stands in one whatever it is escaped in: an escape is made of these characters, and is no shorter
 * than what it means. Most texts have none, and most of their characters are passed over: where the
 * last one of a possible run does not fit, the next possible run begins behind it.
 */
function hasRun(text: string, { shortest, characters }: Search): boolean {
	for (let start = 0; start + shortest <= text.length; ) {
		let at = start + shortest - 1;
		while (at >= start && characters[text.charCodeAt(at) & 127] === 1) at--;
		if (at < start) return true;
		start = at + 1;
	}
	return false;
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
	const found: Span[] = [];
	for (const layer of layersOf(text)) {
		const { at } = layer;
		for (const [start, end] of find(layer.text, search)) {
			found.push(at ? [at[start] as number, at[end] as number] : [start, end]);
		}
	}
	return found.length > 0 ? mask(text, found) : text;
}

function find(text: string, search: Search): Span[] {
	const found: Span[] = [];
	for (const value of text.length < search.shortestValue ? [] : search.values) {
		// From the next character on, since a secret may overlap with itself.
		for (let at = text.indexOf(value.text); at >= 0; at = text.indexOf(value.text, at + 1)) {
			found.push([
				Math.max(at - value.before, 0),
				Math.min(at + value.text.length + value.after, text.length),
			]);
		}
	}
	for (const { head, secret } of search.rules) {
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
	for (const { text } of layersOf(secret)) plain.add(text).add(text.replaceAll(' ', '+'));
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
	const text = bytes.toString('base64').slice(start, end);
	return [...new Set([text, text.replaceAll('+', '-').replaceAll('/', '_')])]
		.filter((text) => text.length >= SHORTEST_BASE64)
		.map((text) => ({ text, before: offset && 1, after: bytes.length % 3 && 1 }));
}
