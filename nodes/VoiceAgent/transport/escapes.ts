/** Layers of escapes that are taken off, at the most: more than any echo of an echo has. */
const MOST_LAYERS = 8;

/** A text with some layers of escapes taken off. */
export interface Layer {
	text: string;
	/** Where each character stands in the text as it came, and where that ends; as it is, if unset. */
	at?: Uint32Array;
}

/** A text as it stands, and with one layer of escapes after the other taken off. */
export function* layersOf(text: string): Generator<Layer> {
	let layer: Layer | undefined = { text };
	for (let layers = 0; layer && layers <= MOST_LAYERS; layers++) {
		yield layer;
		layer = peel(layer);
	}
}

/** What escapes are written in, beside letters and digits. */
export const ESCAPING = '%\\&#;';

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
