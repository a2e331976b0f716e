import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { generate } from 'selfsigned';

/** A certificate with its key. All fields are PEM. */
export interface Certificate {
	key: string;
	cert: string;
	/** The certificate of the authority that signed it, for clients that have to trust it. */
	ca: string;
}

/**
 * Makes a certificate, signed by a new authority. The authority's key is dropped at once, and
 * nothing is written to disk, so no further certificate can be signed.
 *
 * @param hosts the names in the certificate; by default `localhost` and 127.0.0.1
 */
export async function makeCertificate(hosts?: string[]): Promise<Certificate> {
	const common = { keyType: 'ec', algorithm: 'sha256' } as const;
	// OpenSSL finds an authority by its name, so two that a client trusts need two names.
	const name = `Local stack authority ${randomUUID()}`;
	const authority = await generate([{ name: 'commonName', value: name }], {
		...common,
		extensions: [
			{ name: 'basicConstraints', cA: true, critical: true },
			{ name: 'keyUsage', keyCertSign: true, critical: true },
		],
	});
	const server = await generate([{ name: 'commonName', value: 'localhost' }], {
		...common,
		ca: { key: authority.private, cert: authority.cert },
		...(hosts && { extensions: [{ name: 'subjectAltName', altNames: hosts.map(toDnsName) }] }),
	});
	return { key: server.private, cert: server.cert, ca: authority.cert };
}

const toDnsName = (value: string) => ({ type: 2 as const, value });

/**
 * Writes the authorities that n8n has to trust: n8n calls its own webhook URL, which has a local certificate.
 *
 * @returns the environment that names them
 */
export async function trusting(folder: string, ...authorities: string[]) {
	const file = join(folder, 'authorities.pem');
	await writeFile(file, authorities.join('\n'));
	return { NODE_EXTRA_CA_CERTS: file };
}
