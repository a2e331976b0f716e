import { generateKeyPairSync } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { FeatureName } from '../../../sandbox/stack/features';
import type { Crm } from '../crms/crm';
import { googleSheets } from '../crms/googleSheets';
import { highLevel } from '../crms/highLevel';
import { hubspot } from '../crms/hubspot';
import { pipedrive } from '../crms/pipedrive';
import { salesforce } from '../crms/salesforce';
import { zoho } from '../crms/zoho';

/** An example that records calls on customers, with the values that a user fills in. */
export interface RecordingExample {
	/** The file name without `.json`. */
	name: string;
	/** Undefined for the example with a data table. */
	crm?: Crm;
	credential?: { type: string; fields: IDataObject };
	/** The parameters of the CRM's nodes. */
	parameters?: INodeParameters;
	needs?: FeatureName;
	/** The runs of an example without Match Customer; undefined for all. */
	runs?: RegExp;
}

const { privateKey } = generateKeyPairSync('rsa', {
	modulusLength: 2048,
	privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
	publicKeyEncoding: { type: 'spki', format: 'pem' },
});

export const sheets = googleSheets();

export const recordingExamples: RecordingExample[] = [
	{ name: 'call-to-data-table' },
	{
		name: 'call-to-google-sheets',
		crm: sheets,
		credential: {
			type: 'googleApi',
			fields: { email: 'robot@example.iam.gserviceaccount.com', privateKey, region: 'us-central1' },
		},
		parameters: {
			authentication: 'serviceAccount',
			documentId: {
				__rl: true,
				mode: 'id',
				value: '1SheetOfTheTest-0123456789abcdefghijklmnopqrs',
			},
		},
	},
	{
		name: 'call-to-hubspot',
		crm: hubspot(),
		credential: { type: 'hubspotAppToken', fields: { appToken: 'pat-na1-of-the-test' } },
	},
	{
		name: 'call-to-pipedrive',
		crm: pipedrive(),
		credential: { type: 'pipedriveApi', fields: { apiToken: 'token-of-the-test' } },
		needs: 'Pipedrive node for the present Pipedrive API',
	},
	{
		name: 'call-to-salesforce',
		crm: salesforce(),
		credential: {
			type: 'salesforceJwtApi',
			fields: {
				environment: 'production',
				clientId: 'consumer-key',
				username: 'admin@example.com',
				privateKey,
			},
		},
		parameters: { authentication: 'jwt' },
	},
	{
		name: 'call-to-zoho',
		crm: zoho(),
		credential: signedIn('zohoOAuth2Api', { api_domain: 'https://www.zohoapis.com' }),
	},
	{
		name: 'call-to-highlevel',
		crm: highLevel(),
		// n8n 1.123 asks for the scope, which its editor fills in.
		credential: signedIn(
			'highLevelOAuth2Api',
			{ locationId: 'location' },
			{ scope: 'contacts.write' },
		),
		runs: /at once|^a later event|missing|beside/,
	},
];

/** @returns a credential as after the sign-in, which no test walks through */
function signedIn(type: string, more: IDataObject, fields: IDataObject = {}) {
	const ofClient = { clientId: 'of-the-test', clientSecret: 'of-the-test' };
	const oauthTokenData = { access_token: 'token-of-the-test', token_type: 'Bearer', ...more };
	return { type, fields: { ...fields, ...ofClient, oauthTokenData } };
}
