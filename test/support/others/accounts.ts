/** What a person chooses in the nodes of each app, as the notes of the examples ask for it. */
import { generateKeyPairSync } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { importExample } from '../../../sandbox/stack/example';
import type { N8nApi, WorkflowJson } from '../../../sandbox/stack/n8n-api';

type Body = { parameters?: Array<{ value: string }> };
type Account = [credentialType: string, fields: IDataObject, parameters?: INodeParameters];

const { privateKey } = generateKeyPairSync('rsa', {
	modulusLength: 2048,
	privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
	publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const chosen = (value: string): INodeParameters => ({ __rl: true, mode: 'id', value });

/** @returns a credential as after the sign-in, which no test walks through */
function signedIn(type: string, more: IDataObject = {}, fields: IDataObject = {}) {
	const ofClient = { clientId: 'of-the-test', clientSecret: 'of-the-test' };
	const oauthTokenData = { access_token: 'token-of-the-test', token_type: 'Bearer', ...more };
	return [type, { ...fields, ...ofClient, oauthTokenData }] as const;
}

/** By the node of the app; Vault has none, and is called by HTTP Request nodes. */
export const accounts: Record<string, Account> = {
	airtable: [
		'airtableTokenApi',
		{ accessToken: 'of-the-test' },
		{ base: chosen('appOfTheTest0001'), table: chosen('tblOfTheTest0001') },
	],
	emailSend: ['smtp', {}, { fromEmail: 'n8n@example.com', toEmail: 'office@example.com' }],
	gmail: [...signedIn('gmailOAuth2'), { sendTo: 'office@example.com' }],
	googleCalendar: [
		...signedIn('googleCalendarOAuth2Api'),
		{ calendar: chosen('office@example.com') },
	],
	googleSheets: [
		'googleApi',
		{ email: 'robot@example.iam.gserviceaccount.com', privateKey, region: 'us-central1' },
		{
			authentication: 'serviceAccount',
			documentId: chosen('1SheetOfTheTest-0123456789abcdefghijklmnopqrs'),
		},
	],
	// n8n 1.123 asks for the scope, which its editor fills in.
	highLevel: [
		...signedIn('highLevelOAuth2Api', { locationId: 'location' }, { scope: 'contacts.write' }),
	],
	hubspot: ['hubspotAppToken', { appToken: 'pat-na1-of-the-test' }],
	notion: [
		'notionApi',
		{ apiKey: 'of-the-test' },
		{ databaseId: chosen('0123456789abcdef0123456789abcdef') },
	],
	pipedrive: ['pipedriveApi', { apiToken: 'token-of-the-test' }],
	salesforce: [
		'salesforceJwtApi',
		{
			environment: 'production',
			clientId: 'consumer-key',
			username: 'admin@example.com',
			privateKey,
		},
		{ authentication: 'jwt' },
	],
	slack: ['slackApi', { accessToken: 'of-the-test' }, { channelId: chosen('C0123456789') }],
	telegram: ['telegramApi', { accessToken: '1:of-the-test' }, { chatId: '42' }],
	todoist: ['todoistApi', { apiKey: 'of-the-test' }, { project: chosen('2203306141') }],
	vault: ['httpHeaderAuth', { name: 'X-Vault-Token', value: 'hvs.stand-in' }],
	zohoCrm: [...signedIn('zohoOAuth2Api', { api_domain: 'https://www.zohoapis.com' })],
};

/** Finds what a person chooses in a node; an HTTP Request node names its credential. */
function accountOf({ type, parameters }: INode): Account | undefined {
	const named = parameters.nodeCredentialType ?? parameters.genericAuthType;
	const ofApp = Object.values(accounts).find(([credential]) => credential === named);
	if (ofApp) return [ofApp[0], ofApp[1]];
	return accounts[type.replace('n8n-nodes-base.', '')];
}

/**
 * Imports an example, and makes the choices that its note asks for.
 *
 * @param credentialId a credential of the type `voiceAgentApi`
 * @param change further changes of the workflow
 * @returns the workflow's id
 */
export async function setUpExample(
	api: N8nApi,
	name: string,
	credentialId: string,
	change = (workflow: WorkflowJson) => workflow,
): Promise<string> {
	return await importExample(api, name, credentialId, async (workflow) => {
		const credentials: Record<string, INode['credentials']> = {};
		for (const node of workflow.nodes) {
			const [type, fields, parameters] = accountOf(node) ?? [];
			if (!type || !fields) continue;
			node.credentials = credentials[type] ??= await api.newCredentials(type, fields);
			Object.assign(node.parameters, parameters);
			// HighLevel's location.
			const { parameters: values = [] } = (node.parameters.bodyParameters ?? {}) as Body;
			for (const each of values) each.value ||= 'location';
		}
		return change(workflow);
	});
}
