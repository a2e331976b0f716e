import { UserError } from 'n8n-workflow';

import { LISTS } from '../../lists/lists';
import { readApiKey } from '../../lists/records';
import { request } from '../../service/request';
import { readChoices, readText } from '../../text/json';
import { splitList } from '../../text/words';
import { refuseRetry, type Operation } from '../operation';

/** The scopes of API keys (docs/the-service.md). */
const SCOPES = splitList(`
	agents:read, agents:write, knowledge:read, knowledge:write, tools:read, tools:write, calls:read,
	calls:write, chat:read, chat:write, analytics:read, billing:read, billing:write, workspace:admin
`);

/** Creates an API key. Only this output shows its value. */
export const create: Operation = {
	name: 'Create',
	description: 'Create an API key. Its value is shown only once.',
	action: 'Create API key',
	fields: [
		{
			displayName:
				'Store the key with the next node: its value is shown only once, and n8n keeps it in the execution data unless the workflow settings turn off saving executions',
			name: 'keyShownOnceNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. CRM sync',
			description: 'Label that helps you recognize the key',
		},
		{
			displayName: 'Scopes',
			name: 'scopes',
			type: 'multiOptions',
			options: SCOPES.map((scope) => ({ name: scope, value: scope })),
			default: [],
			description: "What the key may do. Leave empty for the service's default.",
		},
	],

	notAsTool: 'An AI agent may not create API keys: the key would go to the model.',

	showsSecret: 'key',

	async execute(item) {
		refuseRetry(item, 'keys');
		const { context, read, deadline } = item;
		const name = readText(read('name'));
		if (!name) throw new UserError("'Name' is empty. Enter a label for the key.");

		const scopes = [...new Set(readChoices(read('scopes', [])))];
		const body = { name, ...(scopes.length > 0 && { scopes }) };
		const { path } = LISTS.apiKeys;
		const asked = { method: 'POST', path, body, mayReportFailure: true } as const;
		const answer = await request(context, asked, deadline);
		const created = readApiKey(answer.body);
		if (created) return created;
		throw answer.failure ?? answer.unreadable('an API key');
	},
};
