import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Stack } from '../../sandbox/stack/stack';
import { hostileEvents } from '../support/events/hostileBodies';
import { type Report, table } from './report';
import { sendRequest } from './sendRequest';
import { publishTestWorkflow } from './workflow';

/** n8n accepts 16 MB by default, which are a few kB in gzip. */
const BYTES = 16_000_000;
const BODIES = ['numbers', 'empty objects', 'events', 'names that are masked to one'];
/** n8n itself takes long to store such an execution. */
const TIMEOUT_MS = 120_000;

/**
 * Measures the time and the memory that n8n takes for bodies of 16 MB, with and without *Verify Signature*. Most of it
 * is n8n's own: it parses the JSON before the node, and stores the execution after it.
 */
export async function receiveLargeBodies(stack: Stack): Promise<Report> {
	const { n8n } = stack;
	const pid = n8n.pid!;
	const rows: Array<Array<string | number>> = [];
	const refused: boolean[] = [];
	for (const verifySignature of [true, false]) {
		const dialect = { signature: 'standard-webhooks' } as const;
		await using workflow = await publishTestWorkflow(stack, {
			dialect,
			parameters: { options: { verifySignature } },
		});
		const { pathname, search } = new URL(workflow.sandbox.endpoints()[0]?.url ?? '');
		for (const name of BODIES) {
			const body = gzipSync(hostileEvents[name]!(BYTES));
			const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
			resetPeak(pid);
			const started = Date.now();
			const query = search.slice(1);
			const answer = await sendRequest(n8n.url + pathname, {
				...{ query, headers, body, hangUpAfterMs: TIMEOUT_MS },
			});
			const seconds = (Date.now() - started) / 1000;
			if (verifySignature) refused.push(answer.status === 401);
			const verified = verifySignature ? 'on' : 'off';
			rows.push([name, verified, body.length, answer.status, seconds.toFixed(1), peakOf(pid)]);
		}
	}
	const head = ['16 MB of', 'Verify Signature', 'sent bytes', 'status', 'seconds', 'peak MB'];
	return {
		lines: table([head, ...rows]),
		bounds: {
			'n8n survives each body of 16 MB': n8n.pid === pid,
			'every body of 16 MB is answered': rows.every(([, , , status]) => status !== 'none'),
			'a body of 16 MB without a signature is refused': refused.every(Boolean),
		},
	};
}

/** Makes the present memory of a process its peak. */
function resetPeak(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** @returns the peak of the resident memory of a process (MB) */
function peakOf(pid: number): number {
	const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
	return Math.round(Number(kilobytes) / 1024);
}
