import { generateKeyPairSync } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { FeatureName } from '../../sandbox/stack/features';
import type { Crm } from './crms/crm';
import { googleSheets } from './crms/googleSheets';
import { hubspot } from './crms/hubspot';
import { pipedrive } from './crms/pipedrive';
import { salesforce } from './crms/salesforce';

/** An example that records calls, with the values that a user fills in. */
export interface RecordingExample {
	/** The file name without `.json`. */
	name: string;
	/** Undefined for the example with a data table of customers. */
	crm?: Crm;
	/** The data table of calls; undefined for the example with a spreadsheet. */
	table?: string;
	credential?: { type: string; fields: IDataObject };
	/** The parameters of the CRM's nodes. */
	parameters?: INodeParameters;
	/** A national form of +1 415 555 0187 by which the example finds a customer; undefined for tables. */
	nationalNumber?: string;
	needs?: FeatureName;
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
		table: 'Calls logged in HubSpot',
		credential: { type: 'hubspotAppToken', fields: { appToken: 'pat-na1-of-the-test' } },
		nationalNumber: '(415) 555-0187',
	},
	{
		name: 'call-to-pipedrive',
		crm: pipedrive(),
		table: 'Calls logged in Pipedrive',
		credential: { type: 'pipedriveApi', fields: { apiToken: 'token-of-the-test' } },
		nationalNumber: '4155550187',
		needs: 'Pipedrive node for the present Pipedrive API',
	},
	{
		name: 'call-to-salesforce',
		crm: salesforce(),
		table: 'Calls logged in Salesforce',
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
		nationalNumber: '(415) 555-0187',
	},
];
