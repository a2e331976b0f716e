import type { IDataObject } from 'n8n-workflow';

import { readCallDetails } from '../../../nodes/VoiceAgent/callDetails/callDetails';
import { createEvent } from '../../../sandbox/service/events';
import { fieldOfAKind } from '../events/hostileBodies';

/** The processor time of reading call details (ms). */
export type Speed = typeof speed;

const call = {
	...createEvent('call.completed'),
	noise: fill(850, (at) => ({ id: at, status: 'ok', label: 'x'.repeat(20) })),
	transcript: fill(500, (at) => ({
		role: at % 2 === 0 ? 'agent' : 'user',
		content: 'Monday at nine thirty is free.',
		words: [{ word: 'Monday', start: at, end: at + 1 }],
	})),
};

/** The number of entries in a small event. */
const SMALL = 8_000;
const HOSTILE: Record<string, (size: number) => object> = {
	parties: (size) => ({
		agent: repeated('phone', size, '+493012340000'),
		customer: repeated('phone', size, '+442079460321'),
	}),
	'numbers of both sides': (size) => ({
		...repeated('agent_phone', size, '+493012340000'),
		...repeated('customer_phone', size, '+442079460321'),
	}),
	'names of numbers': (size) => repeated('customer_phone', size, '+4930123456'),
	'names of people': (size) => repeated('contact-first-name', size, 'x'),
	'names of services': (size) =>
		repeated('acme', size, { acme_phone: '+4930123456', recording_url: 'https://a.example/' }),
	'unknown names': (size) => repeated('abcdefghijklmnopqrst', size, 1),
	turns: (size) => ({ transcript: fill(size, () => ({ role: 'user', text: 'Hi' })) }),
	speakers: (size) => ({ transcript: fill(size, (at) => ({ role: `user ${at}`, text: 'Hi' })) }),
	words: (size) => ({ transcript: fill(size, () => ({ word: 'Hi', speaker: 1 })) }),
	blanks: (size) => ({ customer_name: ' '.repeat(size * 20), duration: ' '.repeat(size * 20) }),
	brackets: (size) => ({ transcript: '['.repeat(size * 4) }),
	digits: (size) => ({ from: '1'.repeat(size * 20), started_at: '1'.repeat(size * 20) }),
	// Of four times the length: an expression that tries each place of a text again takes 16 times as long.
	'texts that are almost values': (size) =>
		JSON.parse(`{${fill(400, (at) => fieldOfAKind(at, size / 8.2)).join()}}`) as object,
	'signs of e-mails': (size) => ({ customer_email: 'a@'.repeat(size * 10), to: 'a@'.repeat(size) }),
	'a long name': (size) => ({ ['callId'.repeat(size * 5)]: 1 }),
	'records in records': (size) => nested(size, (inner) => ({ data: inner })),
	'lists in lists': (size) => nested(size, (inner) => [inner]),
};

const speed = {
	/** A call with a long transcript and unrelated data. */
	call: { bytes: sizeOf(call), milliseconds: processorTime(call, 201) },
	/** Events that are made to be slow. `small` and `large` are times (ms), of one and of four times the entries. */
	hostile: Object.entries(HOSTILE).map(([name, build]) => {
		const small = { call_id: '1', ...build(SMALL) };
		const large = { call_id: '1', ...build(SMALL * 4) };
		return { name, bytes: sizeOf(large), small: processorTime(small), large: processorTime(large) };
	}),
};
process.stdout.write(JSON.stringify(speed));

/** @returns the shortest processor time of all rounds (ms) */
function processorTime(event: object, rounds = 3): number {
	const times = fill(rounds, () => {
		const start = process.cpuUsage();
		readCallDetails(event as IDataObject);
		const { user, system } = process.cpuUsage(start);
		return (user + system) / 1000;
	});
	return Math.min(...times);
}

/** @returns the bytes of JSON; 0 if the event is too deep for JSON */
function sizeOf(event: unknown): number {
	try {
		return JSON.stringify(event).length;
	} catch {
		return 0;
	}
}

function fill<T>(length: number, make: (at: number) => T): T[] {
	return Array.from({ length }, (_, at) => make(at));
}

/** @returns an object with a value in many spellings of a name */
function repeated(name: string, size: number, value: unknown): object {
	const ending = (at: number) => at.toString(2).replaceAll('0', '_').replaceAll('1', '-');
	return Object.fromEntries(fill(size, (at) => [name + ending(at), value]));
}

function nested(depth: number, wrap: (inner: unknown) => unknown): object {
	let inner: unknown = { from: '+4930123456' };
	for (let at = 0; at < depth; at++) inner = wrap(inner);
	return { inner };
}
