import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readChoices } from '../parameters';

/** How deliveries are verified, beside the callback token. */
export type Verification =
	| { scheme: 'none' }
	| { scheme: 'standardWebhooks' }
	| {
			scheme: 'hmac';
			/** Header that carries the signature. */
			header: string;
			hash: 'sha256' | 'sha1' | 'sha512';
			encoding: 'hex' | 'base64';
			/** Stands before the signature in the header, e.g. `sha256=`. */
			prefix: string;
	  };

/** The trigger's parameters, with their defaults. */
export interface Settings {
	/** The chosen event types; empty means every event type. */
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
		verification?: Verification['scheme'];
		signatureHeader?: string;
		signatureHash?: 'sha256' | 'sha1' | 'sha512';
		signatureEncoding?: 'hex' | 'base64';
		signaturePrefix?: string;
	};
	return {
		events: readChoices(context.getNodeParameter('events', [])),
		callDetails: context.getNodeParameter('callDetails', true) !== false,
		verification:
			options.verification === 'hmac'
				? {
						scheme: 'hmac',
						header: (options.signatureHeader || 'x-signature').trim().toLowerCase(),
						hash: options.signatureHash ?? 'sha256',
						encoding: options.signatureEncoding ?? 'hex',
						prefix: options.signaturePrefix ?? '',
					}
				: { scheme: options.verification ?? 'none' },
		deliveryDetails: options.deliveryDetails ?? false,
		requestSample: options.testEvent !== 'real',
	};
}
