/** Ends of names that the public DNS does not have (RFC 2606, 6762, 8375), and that routers and companies use. */
const LOCAL_NAME =
	/\.(localhost|local|internal|test|home\.arpa|lan|home|corp|intranet|localdomain)$/;

/**
 * @param hostname of a parsed URL, which writes IP addresses in one form: `127.1` → `127.0.0.1`
 * @returns true for a loopback, private or link-local IP address (RFC 1918, 3927, 4193, 4291), and for
 *   a name that the public DNS does not have
 */
export function isLocalHost(hostname: string): boolean {
	const host = hostname.replace(/\.$/, '');
	if (host.startsWith('[')) return /^\[(::1\]|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/.test(host);
	if (/^[\d.]+$/.test(host)) {
		return /^(10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(host);
	}
	return !host.includes('.') || LOCAL_NAME.test(host);
}

/** The environment variable with n8n's public address, in words for the user. */
export const ADDRESS_VARIABLE = 'N8N_WEBHOOK_URL (before n8n 2.35: WEBHOOK_URL)';
