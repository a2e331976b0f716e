import { createHmac, randomBytes } from 'node:crypto';

/** How long a browser's token is valid, in seconds (an assumption: contract, section 5). */
export const sessionSeconds = 300;

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** The short-lived tokens of browser sessions (contract, section 5): JSON Web Tokens (HS256), signed by a key of this run. */
export class Sessions {
	private readonly key = randomBytes(32);

	/** A token for one workspace. */
	issue(workspaceId: string): string {
		const exp = Math.floor(Date.now() / 1000) + sessionSeconds;
		const unsigned = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ workspace: workspaceId, exp })}`;
		return `${unsigned}.${this.sign(unsigned)}`;
	}

	/** When the token for this workspace expires (ms since 1970); undefined for an invalid token. */
	validUntil(token: string, workspaceId: unknown): number | undefined {
		const [header, payload = '', signature] = token.split('.');
		if (signature !== this.sign(`${header}.${payload}`)) return undefined;
		const { workspace, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
			workspace: string;
			exp: number;
		};
		return workspace === workspaceId && exp * 1000 > Date.now() ? exp * 1000 : undefined;
	}

	private sign(text: string): string {
		return createHmac('sha256', this.key).update(text).digest('base64url');
	}
}
