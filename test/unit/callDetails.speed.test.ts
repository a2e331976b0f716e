import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import type { Speed } from '../support/callDetailsSpeed';

describe('reading is fast', () => {
	let speed: Speed;

	// In a process of its own, for Jest's own makes every use of a global slow.
	beforeAll(() => {
		const script = join(__dirname, '../support/callDetailsSpeed.ts');
		const output = execFileSync(process.execPath, ['--import', 'tsx', script], {
			encoding: 'utf8',
		});
		speed = JSON.parse(output) as Speed;
	}, 120_000);

	test('100 kB take less than two milliseconds', () => {
		const { bytes, milliseconds } = speed.call;
		process.stdout.write(`\ncall details: ${bytes} bytes take ${milliseconds.toFixed(2)} ms\n`);
		expect(bytes).toBeGreaterThan(100_000);
		expect(milliseconds).toBeLessThan(2);
	});

	test('hostile events take as long as they are large', () => {
		const lines = speed.hostile.map(
			({ name, bytes, large }) =>
				`${name.padEnd(32)} ${(bytes / 1e6).toFixed(1)} MB take ${large.toFixed(1)} ms`,
		);
		process.stdout.write(`\n${lines.join('\n')}\n`);
		// Four times the size: what grows with its square takes sixteen times as long.
		const squared = speed.hostile.filter(({ small, large }) => large > Math.max(200, small * 10));
		expect(squared).toEqual([]);
		expect(speed.hostile.length).toBeGreaterThan(10);
	});
});
