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
	/** The runs of an example without Match Customer; undefined for all. */
	runs?: RegExp;
}

export const sheets = googleSheets();

export const recordingExamples: RecordingExample[] = [
	{ name: 'call-to-data-table' },
	{ name: 'call-to-google-sheets', crm: sheets },
	{ name: 'call-to-hubspot', crm: hubspot() },
	{
		name: 'call-to-pipedrive',
		crm: pipedrive(),
		needs: 'Pipedrive node for the present Pipedrive API',
	},
	{ name: 'call-to-salesforce', crm: salesforce() },
	{ name: 'call-to-zoho', crm: zoho() },
	{
		name: 'call-to-highlevel',
		crm: highLevel(),
		runs: /at once|^a later event|no person|missing|beside/,
	},
];
