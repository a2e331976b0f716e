import { randomUUID } from 'node:crypto';

/** How long a browser's token is valid, in seconds (an assumption). */
export const sessionSeconds = 300;

/** The short-lived tokens of browser sessions. */
export class Sessions {
	/** The end of each token, in ms since 1970. */
	private readonly ends = new Map<string, number>();

	/** @returns a new token */
	issue(): string {
		const token = randomUUID();
		this.ends.set(token, Date.now() + sessionSeconds * 1000);
		return token;
	}

	isValid(token: string): boolean {
		return (this.ends.get(token) ?? 0) > Date.now();
	}
}
