import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Wanted } from '../delivery/judge';
import type { HmacSettings, Verification } from '../delivery/signatures';
import { readTexts } from '../parameters';

/** The parameters of a verification as a workflow stores them; those at their defaults may lack. */
type StoredVerification = Partial<
	HmacSettings & { scheme: Verification['scheme']; prefix: string }
>;

/** The trigger's parameters, with their defaults. */
export interface Settings extends Wanted {
	/** While building, ask the service for a sample instead of waiting for a real event. */
	requestSample: boolean;
}

/** Reads the parameters of a trigger, in the lifecycle as well as for a delivery. */
export function readSettings(context: IHookFunctions | IWebhookFunctions): Settings {
	const options = context.getNodeParameter('options', {}) as {
		deliveryDetails?: boolean;
		testEvent?: 'sample' | 'real';
		signature?: { settings?: StoredVerification };
		/** Stored before these were the fields of `signature`. */
		verification?: Verification['scheme'];
		signatureHeader?: string;
		signatureHash?: HmacSettings['hash'];
		signatureEncoding?: HmacSettings['encoding'];
		signaturePrefix?: string;
	};
	return {
		events: readTexts(context.getNodeParameter('events', [])),
		callDetails: context.getNodeParameter('callDetails', true) !== false,
		verification: options.signature?.settings
			? readVerification({ scheme: 'standardWebhooks', ...options.signature.settings })
			: readVerification({
					scheme: options.verification,
					header: options.signatureHeader,
					hash: options.signatureHash,
					encoding: options.signatureEncoding,
					prefix: options.signaturePrefix,
				}),
		deliveryDetails: options.deliveryDetails ?? false,
		requestSample: options.testEvent !== 'real',
	};
}

function readVerification(stored: StoredVerification): Verification {
	const { scheme = 'none', header, hash = 'sha256', encoding = 'hex', prefix = '' } = stored;
	const hmac = { header: (header || 'x-signature').trim().toLowerCase(), hash, encoding };
	switch (scheme) {
		case 'hmac':
			return { scheme, ...hmac, prefix };
		case 'timestampedHmac':
			return { scheme, ...hmac };
		default:
			return { scheme };
	}
}
