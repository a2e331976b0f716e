import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import type { Speed } from '../support/measures/callDetailsSpeed';

// In a separate process, because in Jest's every use of a global is slow.
const script = join(__dirname, '../support/measures/callDetailsSpeed.ts');
const output = execFileSync(process.execPath, ['--import', 'tsx', script], { encoding: 'utf8' });
const speed = JSON.parse(output) as Speed;

// Promise: 100 kB are read in less than two milliseconds.
test('100 kB take less than two milliseconds', () => {
	const { bytes, milliseconds } = speed;
	expect(bytes).toBeGreaterThan(100_000);
	expect(milliseconds).toBeLessThan(2);
});
