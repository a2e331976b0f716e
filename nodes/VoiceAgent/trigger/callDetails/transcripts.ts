import { readName, type Name } from './names';
import { saysOneOf, setOf } from '../../reading/words';

/** Fields of a turn that hold what was said, best first, by the words of their names. */
const TEXTS = ranks([
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
]);
/** Fields of a turn that say who speaks, best first. */
const SPEAKERS = ranks([
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
]);
/** The ranks of those that hold a word. */
const WORDS = new Set([TEXTS.get('word'), TEXTS.get('punctuated word')]);
/** Fields that alone show that a list holds turns. */
const TELLING = setOf('role speaker');
const SPEAKING = setOf('user assistant agent bot ai human caller customer');
/** Speakers whose turns nobody hears. */
const SILENT_WORDS = 'system tool function developer action event node';
const SILENT = setOf(SILENT_WORDS);
/** Most speakers are told from them by this alone. */
const SILENT_LETTERS = new RegExp(SILENT_WORDS.replaceAll(' ', '|'), 'i');

const DEEPEST = 6;

function ranks(phrases: string[]): Map<string, number> {
	return new Map(phrases.map((phrase, rank) => [phrase, rank]));
}

/** Tells whether a list holds turns: what is called so, or objects that say who speaks, and what. */
export function isTurns(list: unknown[], { topics: { transcript = 0 } }: Name): boolean {
	const isCalledSo = transcript >= 7;
	const areSpoken = transcript > 0 && list.slice(0, 3).every(isSpoken);
	return list.slice(0, 3).some((entry) => {
		if (!isObject(entry)) return isCalledSo && typeof entry === 'string';
		const names = Object.keys(entry).map(readName);
		const isTold =
			isCalledSo || names.some(({ words: [first = ''] }) => TELLING.has(first)) || areSpoken;
		return isTold && names.some(({ phrase }) => rankOfText(phrase) !== undefined);
	});
}

function isSpoken(entry: unknown): boolean {
	return isObject(entry) && Object.keys(entry).some((key) => isSpeakerOf(key, entry[key]));
}

/** Tells whether a field says that one of both sides speaks: `sender: 'ai'`, `type: 'user_turn'`. */
function isSpeakerOf(key: string, value: unknown): boolean {
	return SPEAKERS.has(readName(key).phrase) && saysOneOf(value, SPEAKING);
}

/** The spoken turns of a transcript as text, a line each; undefined if there are none. */
export function readTranscript(value: unknown): string | undefined {
	const text = linesOf(value, 0).join('\n').trim();
	return text === '' ? undefined : text;
}

function linesOf(value: unknown, depth: number): string[] {
	if (typeof value === 'string') return linesOfText(value, depth);
	if (depth > DEEPEST || typeof value !== 'object' || value === null) return [];
	return Array.isArray(value) ? linesOfTurns(value, depth) : linesOfWrapper(value, depth);
}

function linesOfText(text: string, depth: number): string[] {
	const trimmed = text.trim();
	if (trimmed === '' || /^https?:\/\/\S+$/.test(trimmed)) return [];
	if (depth === 0 && (trimmed.startsWith('[') || trimmed.startsWith('{'))) {
		try {
			return linesOf(JSON.parse(trimmed), depth + 1);
		} catch {
			// It is a text that begins with a bracket.
		}
	}
	return [trimmed];
}

/** The lines of an object that wraps the text or the turns. */
function linesOfWrapper(wrapper: object, depth: number): string[] {
	for (const [key, inner] of Object.entries(wrapper) as Array<[string, unknown]>) {
		const { phrase, topics } = readName(key);
		const isText = rankOfText(phrase) !== undefined || topics.transcript !== undefined;
		const lines = Array.isArray(inner) || isText ? linesOf(inner, depth + 1) : [];
		if (lines.length > 0) return lines;
	}
	return [];
}

function linesOfTurns(turns: unknown[], depth: number): string[] {
	const lines: string[] = [];
	// Few speak, and often.
	const labels = new Map<string, string | undefined>();
	let speaking: string | undefined;
	for (const entry of turns) {
		const turn = readTurn(entry, depth);
		if (turn === undefined) continue;
		const { speaker = '', text, isWord } = turn;
		if (!labels.has(speaker)) labels.set(speaker, isSilent(speaker) ? undefined : labelOf(speaker));
		const label = labels.get(speaker);
		if (label === undefined) continue;
		// Words are put together to what their speaker said.
		if (isWord && lines.length > 0 && speaking === speaker) {
			lines[lines.length - 1] += ` ${text}`;
		} else {
			lines.push(label + text);
		}
		speaking = speaker;
	}
	return lines;
}

/** What is said in a turn, and by whom where that is told. */
interface Turn {
	speaker?: string;
	text: string;
	/** True for a single word of what is said. */
	isWord: boolean;
}

function readTurn(entry: unknown, depth: number): Turn | undefined {
	if (typeof entry === 'string')
		return entry.trim() === '' ? undefined : { text: entry.trim(), isWord: false };
	if (!isObject(entry)) return undefined;
	let [speaker, bestSpeaker]: [string | undefined, number] = [undefined, Infinity];
	let [text, bestText]: [string | undefined, number] = [undefined, Infinity];
	let parts: unknown;
	for (const key in entry) {
		const value = entry[key];
		const { phrase } = readName(key);
		const speakerRank = SPEAKERS.get(phrase) ?? Infinity;
		const isOther = phrase === 'type' && !isSpeakerOf(key, value);
		if (speakerRank < bestSpeaker && isSpeaker(value) && !isOther) {
			[speaker, bestSpeaker] = [String(value), speakerRank];
		}
		const textRank = rankOfText(phrase) ?? Infinity;
		if (textRank < bestText && typeof value === 'string' && value.trim() !== '') {
			[text, bestText] = [value.trim(), textRank];
		} else if (textRank < Infinity && typeof value === 'object') {
			parts = value;
		}
	}
	text ??= linesOf(parts, depth + 1).join(' ');
	return text === '' ? undefined : { speaker, text, isWord: WORDS.has(bestText) };
}

/** How well a field's name fits what is said; undefined for not at all. */
function rankOfText(phrase: string): number | undefined {
	return TEXTS.get(phrase) ?? (phrase.endsWith(' text') ? TEXTS.size : undefined);
}

function isSpeaker(value: unknown): value is string | number {
	return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function isSilent(speaker: string): boolean {
	return SILENT_LETTERS.test(speaker) && saysOneOf(speaker, SILENT);
}

/** What stands before the words of a speaker; nothing where nobody is told. */
function labelOf(speaker: string): string {
	if (speaker === '') return '';
	const name = speaker.replace(/[ _-]turn$/i, '');
	return /^\d+$/.test(name)
		? `Speaker ${name}: `
		: `${name.charAt(0).toUpperCase()}${name.slice(1)}: `;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
