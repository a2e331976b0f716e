import { readName, type Name } from './names';
import { setOf, wordsOf } from './words';

/** Fields of a turn that hold what was said, best first, by the words of their names. */
const TEXTS = [
	'content',
	'text',
	'message',
	'utterance',
	'transcript',
	'sentence',
	'punctuated word',
	'word',
	'body',
	'speech',
	'phrase',
];
/** Fields of a turn that say who speaks, best first. */
const SPEAKERS = [
	'speaker name',
	'role',
	'speaker',
	'speaker label',
	'speaker role',
	'speaker type',
	'participant role',
	'participant type',
	'party',
	'sender',
	'author',
	'user',
	'name',
	'user id',
	'identifier',
	'participant',
	'participant id',
	'speaker id',
	'speaker tag',
	'channel',
	'source',
	'type',
];
/** Fields that alone show that a list holds turns. */
const TELLING = setOf('role speaker');
/** Speakers whose turns nobody hears. */
const SILENT = setOf('system tool function developer action event node');

const DEEPEST = 6;

/** Tells whether a list holds turns: what is called so, or objects that say who speaks, and what. */
export function isTurns(list: unknown[], { topics }: Name): boolean {
	const isCalledSo = (topics.transcript ?? 0) >= 7;
	return list.slice(0, 3).some((entry) => {
		if (!isObject(entry)) return isCalledSo && typeof entry === 'string';
		const names = Object.keys(entry).map((key) => readName(key).words);
		return (
			(isCalledSo || names.some(([first = '']) => TELLING.has(first))) &&
			names.some((words) => TEXTS.includes(words.join(' ')) || words[words.length - 1] === 'text')
		);
	});
}

/** The spoken turns of a transcript as text, a line each; undefined if there are none. */
export function readTranscript(value: unknown): string | undefined {
	const lines = linesOf(value, 0);
	const text = lines.join('\n').trim();
	return text === '' ? undefined : text;
}

function linesOf(value: unknown, depth: number): string[] {
	if (typeof value === 'string') return linesOfText(value, depth);
	if (depth > DEEPEST || typeof value !== 'object' || value === null) return [];
	if (!Array.isArray(value)) {
		// One that wraps the text or the turns.
		for (const [key, inner] of Object.entries(value)) {
			const { words, topics } = readName(key);
			const isText = TEXTS.includes(words.join(' ')) || topics.transcript !== undefined;
			const isWrapper = Array.isArray(inner) || isText;
			const lines = isWrapper ? linesOf(inner, depth + 1) : [];
			if (lines.length > 0) return lines;
		}
		return [];
	}
	const lines: string[] = [];
	let speaking: string | undefined;
	for (const entry of value as unknown[]) {
		if (typeof entry === 'string') {
			if (entry.trim() !== '') lines.push(entry.trim());
			continue;
		}
		if (!isObject(entry)) continue;
		const turn = readTurn(entry, depth);
		if (turn === undefined) continue;
		const { speaker, text, isWord } = turn;
		if (isWord && lines.length > 0 && speaking === speaker) {
			lines[lines.length - 1] += ` ${text}`;
		} else {
			lines.push(speaker === undefined ? text : `${speaker}: ${text}`);
		}
		speaking = speaker;
	}
	return lines;
}

function linesOfText(text: string, depth: number): string[] {
	const trimmed = text.trim();
	if (trimmed === '' || /^https?:\/\/\S+$/.test(trimmed)) return [];
	if ((trimmed.startsWith('[') || trimmed.startsWith('{')) && depth === 0) {
		try {
			return linesOf(JSON.parse(trimmed) as unknown, depth + 1);
		} catch {
			// It is a text that begins with a bracket.
		}
	}
	return [trimmed];
}

interface Turn {
	speaker?: string;
	text: string;
	isWord: boolean;
}

function readTurn(entry: Record<string, unknown>, depth: number): Turn | undefined {
	const texts: Array<string | undefined> = [];
	const speakers: Array<string | undefined> = [];
	let words: unknown;
	let inner: unknown;
	for (const key in entry) {
		const value = entry[key];
		const name = readName(key).words.join(' ');
		const at = TEXTS.indexOf(name);
		if (at >= 0 || name.endsWith(' text')) {
			if (typeof value === 'string') texts[at >= 0 ? at : TEXTS.length] = value;
			else if (typeof value === 'object' && name !== 'word') inner = value;
		}
		if (name === 'word' && Array.isArray(value)) words = value;
		const rank = SPEAKERS.indexOf(name);
		if (rank >= 0 && (typeof value === 'string' || typeof value === 'number') && value !== '') {
			speakers[rank] = String(value);
		}
	}
	const speaker = speakers.find((one) => one !== undefined);
	if (speaker !== undefined && wordsOf(speaker).some((word) => SILENT.has(word))) return;
	const rank = texts.findIndex((one) => one !== undefined && one.trim() !== '');
	const text =
		rank >= 0
			? (texts[rank] as string).trim()
			: linesOf(words ?? inner, depth + 1)
					.join(' ')
					.trim();
	if (text === '') return undefined;
	const isWord = TEXTS[rank]?.endsWith('word') === true;
	return { speaker: speaker && labelOf(speaker), text, isWord };
}

function labelOf(speaker: string): string {
	return /^\d+$/.test(speaker)
		? `Speaker ${speaker}`
		: `${speaker.charAt(0).toUpperCase()}${speaker.slice(1)}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
