import { timingSafeEqual } from 'crypto';

/** Compares two secrets in a time that does not depend on where they differ. */
export function isEqual(one: string, other: string): boolean {
	const [a, b] = [Buffer.from(one), Buffer.from(other)];
	return a.length === b.length && timingSafeEqual(a, b);
}
