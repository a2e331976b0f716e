import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import { readChoices, readText } from '../../parameters';
import { isObject } from '../../matcher/fields';
import { readApiKey } from '../../answers/records';
import { request } from '../../api/request';
import { assertNoRetry, type Operation } from '../operation';

const displayOptions = { show: { resource: ['apiKey'], operation: ['create'] } };

/** The permission scopes (contract, section 5). */
const SCOPES = [
	'agents:read',
	'agents:write',
	'knowledge:read',
	'knowledge:write',
	'tools:read',
	'tools:write',
	'calls:read',
	'calls:write',
	'chat:read',
	'chat:write',
	'analytics:read',
	'billing:read',
	'billing:write',
	'workspace:admin',
];

/** Creates an API key, whose value is shown this once. */
export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		description: 'Create an API key and get its value, this once',
		action: 'Create an API key',
	},
	fields: [
		{
			displayName:
				'Hand the full key to a secret store in the next node, since it cannot be fetched again, and n8n keeps it with the execution data unless the workflow settings turn off saving executions',
			name: 'keyShownOnceNotice',
			type: 'notice',
			default: '',
			displayOptions,
		},
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. CRM sync',
			description: 'Label by which to tell the key from others',
			displayOptions,
		},
		{
			displayName: 'Scopes',
			name: 'scopes',
			type: 'multiOptions',
			options: SCOPES.map((scope) => ({ name: scope, value: scope })),
			default: [],
			description:
				"What the key may do. With none chosen, the service's default applies: agents:read and calls:write.",
			displayOptions,
		},
	],

	adviceOnLostOutput:
		'Their keys were created, but this run does not show the values, which cannot be fetched again: revoke those keys, and run the items again.',

	notAsTool: 'An AI agent may not create API keys: the key would go to the model.',

	async execute(context, itemIndex, deadline) {
		const fail = (message: string) =>
			new NodeOperationError(context.getNode(), message, { itemIndex });

		assertNoRetry(context, itemIndex, 'keys');
		const name = readText(context.getNodeParameter('name', itemIndex));
		if (!name) throw fail('Name is empty. Enter a label for the key.');

		const scopes = readChoices(context.getNodeParameter('scopes', itemIndex, []));
		const unknown = scopes.filter((scope) => !SCOPES.includes(scope));
		if (unknown.length > 0) {
			throw fail(
				`Scopes holds what the service does not know: ${unknown.join(', ')}. Choose from: ${SCOPES.join(', ')}`,
			);
		}
		const answer = await request(
			context,
			{
				method: 'POST',
				path: '/workspace/api-keys',
				body: { name, ...(scopes.length > 0 && { scopes }) },
				mayReportFailure: true,
			},
			deadline(),
		);
		const created = readApiKey(answer.body);
		if (created) return created;
		if (answer.failure) throw answer.failure;
		if (!answer.body || typeof answer.body === 'number') throw answer.unreadable('an API key');
		context.addExecutionHints({
			message:
				'The service created a key, but its value could not be told from the rest of the answer, which is shown whole: it cannot be asked for again.',
			type: 'warning',
			location: 'outputPane',
		});
		return isObject(answer.body) ? answer.body : { answer: answer.body as IDataObject[] };
	},
};
