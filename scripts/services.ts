/**
 * Writes into docs/services.md what is read of the events of its services: `npx tsx scripts/services.ts`. A unit test
 * compares the table.
 */
import { readFileSync, writeFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import { readCallDetails } from '../nodes/VoiceAgent/callDetails/callDetails';
import type { CallDetails } from '../nodes/VoiceAgent/callDetails/details';
import { filesEndingIn } from './files';

/** The columns of the table, by what they read. */
const COLUMNS: Record<string, (details: CallDetails) => unknown> = {
	Phone: ({ customer }) => customer.phone,
	Name: ({ customer }) => customer.name,
	'E-mail': ({ customer }) => customer.email,
	Summary: ({ summary }) => summary,
	Outcome: ({ outcome }) => outcome,
	Recording: ({ recordingUrl }) => recordingUrl,
	Transcript: ({ transcript }) => transcript,
	Collected: ({ collected }) => (Object.keys(collected ?? {}).length > 0 ? collected : null),
};

/** @returns the details of all payloads, by service */
function readServices(root: string): Map<string, CallDetails[]> {
	const services = new Map<string, CallDetails[]>();
	const files = filesEndingIn(root, '.json').filter((file) =>
		/^test\/payloads\/(tuning|held-out)\//.test(file),
	);
	for (const file of files) {
		const payloads = JSON.parse(readFileSync(`${root}/${file}`, 'utf8')) as Array<{
			service: string;
			body: IDataObject;
		}>;
		for (const { service, body } of payloads) {
			services.set(service, [...(services.get(service) ?? []), readCallDetails(body)]);
		}
	}
	return services;
}

/**
 * @returns the page with its table of what is read replaced
 * @throws for a service without payloads
 */
export function withTable(page: string, root: string): string {
	const read = readServices(root);
	const names = [...page.matchAll(/^\| \[([^\]]+)\]/gm)].map(([, name = '']) => name);
	const rows = names.map((name) => {
		const details = read.get(name);
		if (!details) throw new Error(`No payload in test/payloads is of the service ${name}.`);
		const marks = Object.values(COLUMNS).map((column) =>
			details.some((one) => column(one) !== null) ? '✓' : '–',
		);
		return `| ${[name, ...marks].join(' | ')} |`;
	});
	return page.replace(/(^\| Service \| Phone .*\n.*\n)(?:\|.*\n)*/m, (_all, head: string) => {
		return `${head}${rows.join('\n')}\n`;
	});
}

if (require.main === module) {
	const file = 'docs/services.md';
	writeFileSync(file, withTable(readFileSync(file, 'utf8'), process.cwd()));
}
