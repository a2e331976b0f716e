import type { FeatureName } from '../../../sandbox/stack/features';
import type { Crm } from '../crms/crm';
import { googleSheets } from '../crms/googleSheets';
import { highLevel } from '../crms/highLevel';
import { hubspot } from '../crms/hubspot';
import { pipedrive } from '../crms/pipedrive';
import { salesforce } from '../crms/salesforce';
import { zoho } from '../crms/zoho';

/** An example that records calls on customers. */
export interface RecordingExample {
	/** The file name without `.json`. */
	name: string;
	/** Undefined for the example with a data table. */
	crm?: Crm;
	needs?: FeatureName;
}

export const sheets = googleSheets();
/** HubSpot's search, which tests can slow down. */
export const hubspotSearch = { lag: 0 };
export const contacts = hubspot(hubspotSearch);

export const recordingExamples: RecordingExample[] = [
	{ name: 'call-to-data-table' },
	{ name: 'call-to-hubspot', crm: contacts },
	{ name: 'call-to-google-sheets', crm: sheets },
	{
		name: 'call-to-pipedrive',
		crm: pipedrive(),
		needs: 'Pipedrive node for the present Pipedrive API',
	},
	{ name: 'call-to-salesforce', crm: salesforce() },
	{ name: 'call-to-zoho', crm: zoho() },
	{ name: 'call-to-highlevel', crm: highLevel() },
];
