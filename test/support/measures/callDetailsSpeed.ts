import type { IDataObject } from 'n8n-workflow';

import { readCallDetails } from '../../../nodes/VoiceAgent/callDetails/callDetails';
import { createEvent } from '../../../sandbox/service/events';

/** The processor time of reading call details (ms). */
export type Speed = typeof speed;

/** A call with a long transcript and unrelated data. */
const call = {
	...createEvent('call.completed'),
	noise: fill(850, (at) => ({ id: at, status: 'ok', label: 'x'.repeat(20) })),
	transcript: fill(500, (at) => ({
		role: at % 2 === 0 ? 'agent' : 'user',
		content: 'Monday at nine thirty is free.',
		words: [{ word: 'Monday', start: at, end: at + 1 }],
	})),
};

const speed = { bytes: JSON.stringify(call).length, milliseconds: processorTime(call, 201) };
process.stdout.write(JSON.stringify(speed));

/** @returns the shortest processor time of all rounds (ms) */
function processorTime(event: object, rounds: number): number {
	const times = fill(rounds, () => {
		const start = process.cpuUsage();
		readCallDetails(event as IDataObject);
		const { user, system } = process.cpuUsage(start);
		return (user + system) / 1000;
	});
	return Math.min(...times);
}

function fill<T>(length: number, make: (at: number) => T): T[] {
	return Array.from({ length }, (_, at) => make(at));
}
