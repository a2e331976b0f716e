import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	draw,
	findCrossings,
	importsOf,
	readImports,
	withPicture,
} from '../../scripts/architecture';

const root = join(__dirname, '..', '..');
const imports = readImports(root);

const crossingsOf = (file: string, imported: string) =>
	findCrossings(importsOf(file, `import type { It } from '${imported}';`));

test('no import leads into a room that it may not', () => {
	expect(imports.length).toBeGreaterThan(300);
	expect(findCrossings(imports)).toEqual([]);
});

test.each([
	['nodes/VoiceAgent/transport/read.ts', '../endpoint/state'],
	['nodes/VoiceAgent/transport/read.ts', '../parameters'],
	['nodes/VoiceAgent/resources/run.ts', '../endpoint/create'],
	['nodes/VoiceAgent/endpoint/create.ts', '../resources/list'],
	['nodes/VoiceAgent/endpoint/create.ts', '../trigger/receive'],
	['nodes/VoiceAgent/callDetails/call.ts', '../trigger/delivery'],
	['nodes/VoiceAgent/VoiceAgent.node.ts', './transport/request'],
	['nodes/VoiceAgent/endpoint/create.ts', '../../../sandbox/service/keys'],
	['credentials/VoiceAgentApi.credentials.ts', '../test/support/n8nCore'],
	['sandbox/service/keys.ts', '../stack/n8n'],
	['nodes/VoiceAgent/elsewhere.ts', './transport/read'],
])('%s may not import %s', (file, imported) => {
	expect(crossingsOf(file, imported)).toHaveLength(1);
});

test('an import within a room, and along an arrow, is no crossing', () => {
	expect(crossingsOf('nodes/VoiceAgent/trigger/receive.ts', './outputs')).toEqual([]);
	expect(crossingsOf('nodes/VoiceAgent/trigger/receive.ts', '../callDetails/callDetails')).toEqual(
		[],
	);
	expect(crossingsOf('nodes/VoiceAgent/trigger/receive.ts', '../endpoint/token')).toEqual([]);
	expect(crossingsOf('nodes/VoiceAgent/trigger/receive.ts', '../transport/read')).toEqual([]);
});

test('the picture in docs/architecture.md is up to date; if not: npm run architecture', () => {
	const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
	expect(page).toBe(withPicture(page, draw(imports)));
	// One more import between rooms would show.
	const another = { from: 'nodes/VoiceAgent/VoiceAgent.node', to: 'nodes/VoiceAgent/parameters' };
	expect(page).not.toBe(withPicture(page, draw([...imports, another])));
});
