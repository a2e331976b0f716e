import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readTexts } from '../parameters';

/** How deliveries are verified, beside the callback token. */
export type Verification =
	| { scheme: 'none' }
	| { scheme: 'standardWebhooks' }
	| ({ scheme: 'timestampedHmac' } & HmacSettings)
	| ({
			scheme: 'hmac';
			/** Stands before the signature in the header, e.g. `sha256=`. */
			prefix: string;
	  } & HmacSettings);

/** What the schemes of HMAC leave open. */
interface HmacSettings {
	/** Header that carries the signature. */
	header: string;
	hash: 'sha256' | 'sha1' | 'sha512';
	encoding: 'hex' | 'base64';
}

/** The parameters of a verification as a workflow stores them; those at their defaults may lack. */
type StoredVerification = Partial<
	HmacSettings & { scheme: Verification['scheme']; prefix: string }
>;

/** The trigger's parameters, with their defaults. */
export interface Settings {
	/** The chosen event types, some perhaps twice; empty means every event type. */
	events: string[];
	/** Add to each event what could be read of its call. */
	callDetails: boolean;
	verification: Verification;
	deliveryDetails: boolean;
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
