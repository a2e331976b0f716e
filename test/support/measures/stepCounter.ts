/*
 * Counts the steps of the code of `nodes`, which are the same in each run, unlike its time: how often each block of
 * code runs, and how many entries and characters the built-in functions pass over. The backtracking of a regular
 * expression is not counted.
 */
import crypto from 'node:crypto';
import { Session } from 'node:inspector';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';

import { buildSync } from 'esbuild';

const root = join(__dirname, '../../..');
const SCRIPT = 'counted.js';

/** The steps of the built-in functions since the last reset. */
let passed = 0;
let isCounting = false;

type Cost = (self: never, args: never, result: never) => number;

function countCalls(holder: object, names: string, cost: Cost): void {
	for (const name of names.split(' ')) {
		const original = (holder as Record<string, unknown>)[name];
		if (typeof original !== 'function') continue;
		const counted = function (this: unknown, ...args: unknown[]): unknown {
			const result: unknown = Reflect.apply(original, this, args);
			if (isCounting) passed += 1 + cost(this as never, args as never, result as never);
			return result;
		};
		Object.defineProperty(holder, name, {
			...{ value: counted, writable: true, configurable: true },
		});
	}
}

interface Sized {
	length: number;
}
const keysOf = Object.keys.bind(Object);
const ofSelf = (self: Sized) => self.length;
const ofResult = (_self: unknown, _args: unknown, result: Sized) => result.length;
const ofFields = (_self: unknown, _args: unknown, result: object) => keysOf(result).length;
const ofFirst = (_self: unknown, [first]: [Sized | undefined]) => first?.length ?? 0;
const untilFound = (self: Sized, _args: unknown, at: number) => (at >= 0 ? at : self.length);
const ofSorting = (self: Sized) => self.length * Math.ceil(Math.log2(self.length + 1));

const execOf = Object.getOwnPropertyDescriptor(RegExp.prototype, 'exec')!.value as () => unknown;

/** A search counts from where it begins, because it is called again behind each match. */
function countSearches(): void {
	RegExp.prototype.exec = function (text: string) {
		const start = this.global || this.sticky ? this.lastIndex : 0;
		const match = Reflect.apply(execOf, this, [text] as never) as RegExpExecArray | null;
		const end = match ? match.index + match[0].length : this.sticky ? start : `${text}`.length;
		if (isCounting) passed += 1 + Math.max(0, end - start);
		return match;
	};
}

function countBuiltIns(): void {
	countCalls(Object, 'keys values entries', ofResult);
	countCalls(Object, 'fromEntries assign', ofFields);
	countCalls(Array, 'from', ofResult);
	countCalls(Array.prototype, 'map filter flatMap reverse toReversed join includes', ofSelf);
	countCalls(Array.prototype, 'concat flat slice splice', ofResult);
	countCalls(Array.prototype, 'indexOf lastIndexOf', untilFound);
	countCalls(Array.prototype, 'sort toSorted', ofSorting);
	const iterator = Object.getPrototypeOf(Array.prototype.values()) as object;
	countCalls(iterator, 'next', () => 0);
	const whole = 'replace replaceAll split normalize toLowerCase toUpperCase trim match includes';
	countCalls(String.prototype, whole, ofSelf);
	countCalls(String.prototype, 'repeat', ofResult);
	countCalls(String.prototype, 'indexOf', untilFound);
	countCalls(String.prototype, 'startsWith endsWith', ofFirst);
	countCalls(JSON, 'parse', ofFirst);
	countCalls(JSON, 'stringify', (_self, _args, result?: Sized) => result?.length ?? 0);
	countCalls(Buffer.prototype as object, 'toString includes equals', ofSelf);
	countCalls(Buffer, 'from', ofResult);
	countCalls(TextDecoder.prototype, 'decode', ofFirst);
	countCalls(crypto.Hmac.prototype as object, 'update', ofFirst);
	countCalls(crypto.Hash.prototype as object, 'update', ofFirst);
	countSearches();
}

/** Loads modules of `nodes` so that their steps are counted. @returns their exports by file */
export function loadCounted(files: string[]): Record<string, Record<string, unknown>> {
	const imports = files.map((file, at) => `export * as _${at} from './${file}';`);
	const [bundle] = buildSync({
		stdin: { contents: imports.join('\n'), resolveDir: root },
		...{ bundle: true, write: false, packages: 'external', platform: 'node', format: 'cjs' },
		// Spreads of objects become loops.
		target: 'es2017',
	}).outputFiles;
	// Functions that are compiled into others, or whose code is dropped, lose their counts.
	for (const flag of ['opt', 'maglev', 'flush-bytecode']) setFlagsFromString(`--no-${flag}`);
	const module = { exports: {} as Record<string, Record<string, unknown>> };
	post('Profiler.enable');
	post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
	// What is remembered of other bodies would save steps of some only.
	const code = bundle!.text.replace('MOST_RESULTS = 5e3', 'MOST_RESULTS = 1');
	const run = runInThisContext(`(function (require, module, exports) {${code}\n})`, {
		filename: SCRIPT,
	}) as (...args: unknown[]) => void;
	run(createRequire(join(root, 'package.json')), module, module.exports);
	countBuiltIns();
	post('Profiler.takePreciseCoverage');
	return Object.fromEntries(files.map((file, at) => [file, module.exports[`_${at}`]!]));
}

const session = new Session();
session.connect();

interface Coverage {
	result: Array<{ url: string; functions: Array<{ ranges: Array<{ count: number }> }> }>;
}

function post(method: string, parameters: object = {}): Coverage | undefined {
	let answer: Coverage | undefined;
	session.post(method, parameters, (_error, result) => (answer = result as Coverage));
	return answer;
}

/** @returns the steps of the loaded code since the last count, and of a call, which may be asynchronous */
export async function countSteps(call: () => unknown): Promise<number> {
	[passed, isCounting] = [0, true];
	try {
		await call();
	} finally {
		isCounting = false;
	}
	let steps = passed;
	for (const { url, functions } of post('Profiler.takePreciseCoverage')?.result ?? []) {
		if (url !== SCRIPT) continue;
		for (const { ranges } of functions) for (const { count } of ranges) steps += count;
	}
	return steps;
}
