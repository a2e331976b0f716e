import { isSameAddress } from '../api/callbackUrl';

/** A part of a URL that a list does not show: `***`, `…`, `...`, `xxxxxx`, `[redacted]` */
const HIDDEN_PART = /[*•●∙·…]+|\.{3,}|x{4,}|\[\w*\]|<\w*>/;

/**
 * Tests whether an endpoint may be at a URL, as far as a list shows it: at the same address, or with
 * visible parts that agree with it. `https://n8n.example.com/•••`, `***` or no URL at all → true;
 * `https://crm.example.com/***` → false, because the host differs.
 */
export function mayBeAt(shown: string, url: string): boolean {
	if (isSameAddress(shown, url)) return true;
	const [visible = ''] = shown.toLowerCase().split('?');
	const [head = '', ...parts] = visible.split(HIDDEN_PART);
	// A word in place of the URL, such as `hidden`; or an address without its scheme.
	if (parts.length === 0) return !/[./:]/.test(head) || isSameAddress(`https://${shown}`, url);
	const address = url.toLowerCase();
	let at = head.length;
	return (
		address.startsWith(head) &&
		parts.every((part, index) => {
			const found = address.indexOf(part, at);
			at = found + part.length;
			// The last part may be the end of the query: `https://n8n…k3Fq`
			return found >= 0 || (index === parts.length - 1 && /^[\w=&-]*$/.test(part));
		})
	);
}
