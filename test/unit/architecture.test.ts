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

test('imports lead downwards only', () => {
	expect(imports.length).toBeGreaterThan(300);
	expect(findCrossings(imports)).toEqual([]);
});

test.each([
	['nodes/VoiceAgent/answers/lists.ts', '../endpoint/state'],
	['nodes/VoiceAgent/endpoint/create.ts', '../delivery/receive'],
	['nodes/VoiceAgent/callDetails/call.ts', '../delivery/judge'],
	['nodes/VoiceAgent/endpoint/create.ts', '../../../sandbox/service/keys'],
	['credentials/VoiceAgentApi.credentials.ts', '../test/support/n8nCore'],
	['sandbox/service/keys.ts', '../stack/n8n'],
	['sandbox/stack/n8n.ts', '../../nodes/VoiceAgent/api/request'],
	['nodes/VoiceAgent/elsewhere.ts', './api/request'],
])('%s may not import %s', (file, imported) => {
	expect(crossingsOf(file, imported)).toHaveLength(1);
});

test('the picture in docs/architecture.md is up to date; if not: npm run architecture', () => {
	const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
	expect(page).toBe(withPicture(page, draw(imports)));
	// One more import between rooms would show.
	const another = {
		from: 'nodes/VoiceAgent/VoiceAgent.node',
		to: 'nodes/VoiceAgent/matcher/words',
	};
	expect(page).not.toBe(withPicture(page, draw([...imports, another])));
});
