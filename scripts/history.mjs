/**
 * Checks that the history is one line of commits with plain subjects: `node scripts/history.mjs`. Older commits, some of
 * them merges, are as they are. A shallow clone shows what it has.
 */
import { execFileSync } from 'node:child_process';
import process from 'node:process';

const SINCE = '2026-11-26T17:00:00Z';
const LONGEST_SUBJECT = 72;
const CONVENTIONAL =
	/^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\([\w./-]+\))?!?: \S.*[^.]$/;

/** @returns what is wrong with a commit */
function faultsOf(parents, subject) {
	return [
		parents.includes(' ') && 'is a merge commit: rebase',
		!CONVENTIONAL.test(subject) && 'is not like "fix(trigger): keep the webhook of another n8n"',
		subject.length > LONGEST_SUBJECT && `is longer than ${LONGEST_SUBJECT} characters`,
	].filter(Boolean);
}

const log = execFileSync('git', ['log', `--since=${SINCE}`, '--format=%h%x09%p%x09%s'], {
	encoding: 'utf8',
});
const commits = log.split('\n').filter(Boolean);
const faults = commits.flatMap((commit) => {
	const [hash, parents, subject] = commit.split('\t');
	return faultsOf(parents, subject).map((fault) => `${hash} "${subject}" ${fault}`);
});
for (const fault of faults) console.error(fault);
console.log(`history: ${commits.length} commits, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
