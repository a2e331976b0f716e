import { readFileSync } from 'node:fs';

/**
 * Reads the processor time of a process, of all its threads, and of its children, also ended ones (ms).
 * Works on Linux.
 */
export function processorTimeOf(pid: number): number {
	try {
		const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
		// User and system time of the process and of its ended children, in ticks of 10 ms.
		const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
		const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
		const ofChildren = children.filter(Boolean).map((child) => processorTimeOf(Number(child)));
		return ofChildren.reduce((sum, ms) => sum + ms, ticks * 10);
	} catch {
		// The process has ended meanwhile.
		return 0;
	}
}

/** Calls a function. @returns the processor time that it took in this process (ms), also on a busy machine */
export function processorTimeFor(act: () => void): number {
	const before = process.cpuUsage();
	act();
	return process.cpuUsage(before).user / 1000;
}
