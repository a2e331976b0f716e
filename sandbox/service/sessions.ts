import { randomBytes } from 'node:crypto';
import { createSigner, createVerifier } from 'fast-jwt';

/** How long a browser's token is good for, in seconds (an assumption: contract, section 5). */
export const sessionSeconds = 300;

/** The short-lived tokens of browser sessions (contract, section 5), signed by a key of this run. */
export class Sessions {
	private readonly key = randomBytes(32);
	private readonly sign = createSigner({
		key: this.key,
		algorithm: 'HS256',
		expiresIn: sessionSeconds * 1000,
	});
	private readonly verify = createVerifier({ key: this.key, algorithms: ['HS256'] });

	/** A token for one workspace. */
	issue(workspaceId: string): string {
		return this.sign({ workspace: workspaceId });
	}

	/** Until when (ms since 1970) the token opens this workspace; undefined if it does not. */
	validUntil(token: string, workspaceId: unknown): number | undefined {
		try {
			const { workspace, exp } = this.verify(token) as { workspace: string; exp: number };
			return workspace === workspaceId ? exp * 1000 : undefined;
		} catch {
			return undefined;
		}
	}
}
