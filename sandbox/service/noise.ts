import { randomUUID } from 'node:crypto';
import type { Dialect } from '../dialects';

/**
 * Values beside the list or record in the outermost envelope.
 *
 * @param withLists whether lists of other things may stand there
 */
export function envelopeNoise(
	{ envelopeNoise: form }: Dialect,
	withLists: boolean,
): Record<string, unknown> {
	switch (form) {
		case 'ids':
			return {
				id: `req_${randomUUID()}`,
				workspace: { id: 'ws_1', name: 'Acme', url: 'https://acme.example.com', key: 'ACME' },
				requested_by: { id: 'usr_1', name: 'Ann' },
			};
		case 'lists': {
			const included = [{ id: 'usr_1', kind: 'user' }];
			return withLists ? { warnings: ['This version ends in 2031'], included } : {};
		}
		case 'outcome':
			return { success: true, error: null, code: 0, message: 'OK', status: 'success' };
		case 'none':
			return {};
	}
}

/** Fields of a record beside the contract's. */
export function recordNoise({ recordNoise: form }: Dialect): Record<string, unknown> {
	switch (form) {
		case 'none':
			return {};
		case 'times':
			return { created_at: '2026-01-02T03:04:05Z', updatedAt: 1_767_323_045, version: 1 };
		case 'person':
			return { workspace_id: 'ws_1', created_by: { id: 'usr_1', name: 'Ann' } };
		case 'state':
			return { status: 'active', enabled: true };
	}
}
