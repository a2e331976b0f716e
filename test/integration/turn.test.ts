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

test('one process at a time has a turn, and the end of one that is killed is the next one’s', async () => {
	const name = randomUUID();
	const first = startHolder(name);
	expect(await nextWord(first)).toBe('holds');
	const second = startHolder(name);
	expect(await nextWord(second)).toBe('waits');

	first.kill('SIGKILL');
	expect(await nextWord(second)).toBe('holds');
	// Nobody waits as this one is killed: what it leaves is in nobody's way.
	second.kill('SIGKILL');
	await once(second, 'close');
	expect(await nextWord(startHolder(name))).toBe('holds');
});

test('where several wait for one that is killed, only one of them has the next turn', async () => {
	const name = randomUUID();
	const holders = [startHolder(name)];
	expect(await nextWord(holders[0]!)).toBe('holds');
	const waiting = Array.from({ length: 5 }, () => startHolder(name));
	for (const word of await Promise.all(waiting.map(nextWord))) expect(word).toBe('waits');

	for (const child of waiting) child.stdout!.on('data', () => holders.push(child));
	for (let turn = 0; turn < waiting.length; turn++) {
		const next = Promise.race(waiting.filter((child) => !holders.includes(child)).map(nextWord));
		holders.at(-1)!.kill('SIGKILL');
		expect(await next).toBe('holds');
		// While somebody new finds the turn taken, a second one of those would have had it too.
		const late = startHolder(name);
		expect(await nextWord(late)).toBe('waits');
		late.kill('SIGKILL');
		expect(holders).toHaveLength(turn + 2);
	}
});

test('a turn that ends is the next one’s, and another name’s is free all the while', async () => {
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

test('who waits can be called off', async () => {
	const name = randomUUID();
	const endTurn = await waitForTurn(name, () => {});
	const calling = new AbortController();
	const waits = waitForTurn(name, () => calling.abort(new Error('called off')), calling.signal);
	await expect(waits).rejects.toThrow('called off');
	endTurn();
});
