import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';

import { waitForTurn } from '../../sandbox/turn';

const turnFile = join(__dirname, '..', '..', 'sandbox', 'turn.js');
const started: ChildProcess[] = [];
afterEach(() => {
	for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Starts a process that takes the turn, says so, and keeps it until it is killed. */
function startHolder(name: string): ChildProcess {
	const script = `
		const { waitForTurn } = require(${JSON.stringify(turnFile)});
		waitForTurn(${JSON.stringify(name)}, () => console.log('waits')).then(() => {
			console.log('holds');
			setInterval(() => {}, 1000);
		});`;
	const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
	started.push(child);
	return child;
}

async function nextWord({ stdout }: ChildProcess): Promise<string> {
	const [chunk] = (await once(stdout!, 'data')) as [Buffer];
	return chunk.toString().trim();
}

test('one process at a time has a turn, and a killed process passes it on', async () => {
	const name = randomUUID();
	const first = startHolder(name);
	expect(await nextWord(first)).toBe('holds');
	const second = startHolder(name);
	expect(await nextWord(second)).toBe('waits');

	first.kill('SIGKILL');
	expect(await nextWord(second)).toBe('holds');
	// No process waits when this one is killed, and the turn is free afterwards.
	second.kill('SIGKILL');
	await once(second, 'close');
	expect(await nextWord(startHolder(name))).toBe('holds');
});

test('a turn that ends passes to the next process, and turns of other names stay free', async () => {
	const [name, other] = [randomUUID(), randomUUID()];
	const endTurn = await waitForTurn(name, () => {});
	const endOther = await waitForTurn(other, () => {});
	const waits = jest.fn();
	const next = waitForTurn(name, waits);
	while (waits.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
	endTurn();
	(await next)();
	endOther();
});
