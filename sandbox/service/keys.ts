import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

/** All scopes of the service. */
export const scopes = [
	'agents:read',
	'agents:write',
	'knowledge:read',
	'knowledge:write',
	'tools:read',
	'tools:write',
	'calls:read',
	'calls:write',
	'chat:read',
	'chat:write',
	'analytics:read',
	'billing:read',
	'billing:write',
	'workspace:admin',
] as const;

/** A permission of a key. */
export type Scope = (typeof scopes)[number];

/** A key without its secret value. */
export interface ApiKey {
	id: string;
	name: string;
	prefix: string;
	scopes: Scope[];
}

/** JSON schema of a request to create a key. */
export const keyBody = {
	type: 'object',
	required: ['name'],
	properties: {
		name: { type: 'string', minLength: 1 },
		scopes: { type: 'array', minItems: 1, uniqueItems: true, items: { enum: scopes } },
	},
};

const livePrefix = 'svc_live_';
const shownCharacters = livePrefix.length + 6;

/** The workspace's API keys. Only hashes of the secrets are stored. */
export class Keys {
	private readonly stored = new Map<string, ApiKey & { hash: Buffer }>();

	/** Creates a key. Only this answer has its full value (`key`). */
	create(
		name: string,
		keyScopes: Scope[] = ['agents:read', 'calls:write'],
	): ApiKey & { key: string } {
		const key = livePrefix + randomBytes(32).toString('base64url');
		const record = {
			id: randomUUID(),
			name,
			prefix: key.slice(0, shownCharacters),
			scopes: keyScopes,
		};
		this.stored.set(record.id, { ...record, hash: sha256(key) });
		return { ...record, key };
	}

	list(): ApiKey[] {
		return [...this.stored.values()].map(({ id, name, prefix, scopes }) => ({
			id,
			name,
			prefix,
			scopes,
		}));
	}

	/** Revokes a key at once; returns false for an unknown id. */
	revoke(id: string): boolean {
		return this.stored.delete(id);
	}

	/** The scopes of a key by its full value; undefined if the workspace has no such key. */
	scopesOf(key: string): readonly Scope[] | undefined {
		const hash = sha256(key);
		return [...this.stored.values()].find((stored) => timingSafeEqual(stored.hash, hash))?.scopes;
	}
}

function sha256(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
