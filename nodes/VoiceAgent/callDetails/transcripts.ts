import { wordsOf } from '../matcher/words';
import { SILENT, SPEAKER_FIELDS, SPEAKING, TEXT_FIELDS } from './vocabulary/turns';

/** Wrappers in wrappers that are entered, such as `{ transcript: { segments: [ … ] } }`. */
const DEEPEST = 3;
/** Turns and fields that show how the turns of a list are written. */
const TURNS_SEEN = 5;
const FIELDS_SEEN = 50;

type Turn = Record<string, unknown>;

/**
 * Reads the spoken turns as text, a line each: a text, a list of turns, or an object that holds one.
 * `[{ role: 'user', content: 'Hi' }]` → `User: Hi`
 */
export function readTranscript(value: unknown): string | null {
	const text = textOf(value, 0).trim();
	return text === '' ? null : text;
}

/** Tells whether a list holds turns although nothing names it a transcript: its entries have roles. */
export function areTurns(value: unknown): boolean {
	if (typeof value === 'string') return areTurns(parseList(value));
	if (!Array.isArray(value)) return false;
	const seen = value.slice(0, TURNS_SEEN).filter(isObject);
	const names = fieldsOf(seen);
	const { speaker } = names;
	return (
		names.texts.length > 0 &&
		speaker !== undefined &&
		seen.every((turn) => {
			const role = turn[speaker];
			const words = typeof role === 'string' ? wordsOf(role) : [];
			return words.some((word) => SPEAKING.has(word) || SILENT.has(word));
		})
	);
}

function textOf(value: unknown, depth: number): string {
	if (typeof value === 'string') {
		if (/^\s{0,20}https?:\/\/\S+\s{0,20}$/.test(value.slice(0, 2000))) return '';
		const list = depth === 0 ? parseList(value) : undefined;
		return list === undefined ? value : textOf(list, depth + 1);
	}
	if (Array.isArray(value)) return linesOf(value, depth);
	if (!isObject(value) || depth > DEEPEST) return '';
	for (const name of Object.keys(value).slice(0, FIELDS_SEEN)) {
		const words = wordsOf(name);
		const isText = TEXT_FIELDS.includes(words.join(' ')) || words.includes('transcript');
		const inner = isText || Array.isArray(value[name]) ? textOf(value[name], depth + 1) : '';
		if (inner.trim() !== '') return inner;
	}
	return '';
}

/** A list that was written as a text. */
function parseList(text: string): unknown[] | undefined {
	if (!/^\s{0,20}\[/.test(text)) return undefined;
	try {
		const list: unknown = JSON.parse(text);
		return Array.isArray(list) ? list : undefined;
	} catch {
		return undefined;
	}
}

function linesOf(turns: unknown[], depth: number): string {
	const { texts, speaker } = fieldsOf(turns.slice(0, TURNS_SEEN).filter(isObject));
	// Few speak, and often.
	const labels = new Map<unknown, string | null>();
	let lines = '';
	for (const turn of turns) {
		let text: unknown = turn;
		let label: string | null = '';
		if (isObject(turn)) {
			text = undefined;
			for (const name of texts) {
				if ((text = turn[name]) !== undefined && text !== null && text !== '') break;
			}
			const role = speaker === undefined ? undefined : turn[speaker];
			const known = labels.get(role);
			if (known === undefined) labels.set(role, (label = labelOf(role)));
			else label = known;
		}
		if (typeof text === 'object' && depth < DEEPEST) text = textOf(text, depth + 1);
		if (typeof text !== 'string' || label === null) continue;
		const spoken = text.trim();
		if (spoken !== '') lines += `${lines === '' ? '' : '\n'}${label}${spoken}`;
	}
	return lines;
}

/** The fields of turns that hold what is said, best first, and the one that says by whom. */
function fieldsOf(turns: Turn[]): { texts: string[]; speaker?: string } {
	const names = new Map<string, string>();
	for (const turn of turns) {
		for (const name of Object.keys(turn).slice(0, FIELDS_SEEN)) {
			const phrase = wordsOf(name).join(' ');
			const isRole = phrase !== 'type' || /user|agent|bot|customer|human/i.test(String(turn[name]));
			if (isRole && !names.has(phrase)) names.set(phrase, name);
		}
	}
	const named = (fields: readonly string[]) => fields.flatMap((field) => names.get(field) ?? []);
	const texts = named(TEXT_FIELDS);
	const speaker = named(SPEAKER_FIELDS).find((name) => turns.some((turn) => isSpeaker(turn[name])));
	return { texts, speaker };
}

function isSpeaker(value: unknown): boolean {
	return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

/** The text before a speaker's words; null for a role that is not speech. */
function labelOf(role: unknown): string | null {
	if (!isSpeaker(role)) return '';
	const name = String(role).slice(0, 80);
	if (wordsOf(name).some((word) => SILENT.has(word))) return null;
	const speaker = name.replace(/[ _-]turn$/i, '');
	return /^\d+$/.test(speaker)
		? `Speaker ${speaker}: `
		: `${speaker.charAt(0).toUpperCase()}${speaker.slice(1)}: `;
}

function isObject(value: unknown): value is Turn {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
