/*
 * Shows that the tests see what they are for: seeds one fault after the other into the built
 * connector, and expects the integration tests to fail each time. `npm run test:mutations`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface Mutation {
	fault: string;
	/** Below dist/nodes/VoiceAgent. */
	file: string;
	from: string;
	to: string;
	/** The tests that are to fail. */
	tests: string;
}

const mutations: Mutation[] = [
	{
		fault: 'any token is accepted',
		file: 'endpoint/token.js',
		from: 'return isEqual(token, sign(',
		to: 'return true || isEqual(token, sign(',
		tests: 'test/integration/receive',
	},
	{
		fault: 'the event list is ignored',
		file: 'endpoint/creation.js',
		from: '...(events.length > 0 && { events: [...new Set(events)] })',
		to: '',
		tests: 'test/integration/dialects',
	},
	{
		fault: 'the clean-up is skipped',
		file: 'endpoint/create.js',
		from: 'const { newer, kept, unconfirmed } = await (0, removal_1.removeOwn)(trigger, {',
		to: 'const { newer, kept, unconfirmed } = await (async () => ({ unconfirmed: [] }))(trigger, {',
		tests: 'test/integration/lifecycle',
	},
	{
		fault: 'the adoption is skipped',
		file: 'endpoint/adopt.js',
		from: 'if (state.mustCreate)',
		to: 'if (true)',
		tests: 'test/integration/lifecycle',
	},
	{
		fault: 'the old endpoint is removed before there is a new one',
		file: 'endpoint/creation.js',
		from: 'const { token, answer } = await post(trigger, events);',
		to: 'await (0, removal_1.removeOwn)(trigger); const { token, answer } = await post(trigger, events);',
		tests: 'test/integration/lifecycle',
	},
	{
		fault: 'an unchosen type is told by guess',
		file: 'trigger/telling.js',
		from: "return { kind: isProbe ? 'probe' : 'untold', type: usual[0]?.text };",
		to: "return { kind: isProbe ? 'probe' : usual[0] ? 'notChosen' : 'untold', type: usual[0]?.text };",
		tests: 'test/integration/services',
	},
	{
		fault: 'a page is believed to be the last',
		file: 'transport/paging.js',
		from: 'if (!isMore && !isWeak)',
		to: 'if (true)',
		tests: 'test/integration/services',
	},
	{
		fault: "a foreign id is taken for the record's",
		file: 'transport/read.js',
		from: 'const record = recordAt(object, FIELDS[resource]);',
		to: 'const found = recordAt(object, FIELDS[resource]); const record = found && identified({ ...found, id: objects.find(hasId).id });',
		tests: 'test/integration/services',
	},
];

/** Fewer of what is drawn than in `npm test`: a fault shows early. */
const env = { ...process.env, SERVICES_RUNS: '300', LIFECYCLE_RUNS: '500' };

/** Runs tests to their end, or the first that fails; gives Jest's exit code, null where it did not run. */
function jest(tests: string): number | null {
	return spawnSync('jest', ['--bail', tests], { env, stdio: 'ignore' }).status;
}

/** Whether the tests saw the fault. */
function isSeen({ file, from, to, tests }: Mutation): boolean {
	const target = path.resolve(__dirname, '../dist/nodes/VoiceAgent', file);
	const whole = readFileSync(target, 'utf8');
	if (whole.split(from).length !== 2) throw new Error(`${file} does not have once: ${from}`);
	try {
		writeFileSync(target, whole.replace(from, to));
		return jest(tests) === 1;
	} finally {
		writeFileSync(target, whole);
	}
}

for (const tests of new Set(mutations.map((mutation) => mutation.tests))) {
	const status = jest(tests);
	if (status !== 0) throw new Error(`Without a fault, jest ${tests} ended with ${status}`);
}

const unseen = mutations.filter((mutation) => {
	const seen = isSeen(mutation);
	console.log(`${seen ? 'seen    ' : 'NOT SEEN'}  ${mutation.fault} (${mutation.tests})`);
	return !seen;
});
console.log(`${mutations.length - unseen.length} of ${mutations.length} seeded faults were seen`);
process.exitCode = unseen.length > 0 ? 1 : 0;
