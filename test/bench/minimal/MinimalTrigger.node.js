/** A trigger without logic of its own: the query `answer` selects 401, an ignored event or an execution. */
class MinimalTrigger {
	description = {
		displayName: 'Minimal Trigger',
		name: 'minimalTrigger',
		group: ['trigger'],
		version: 1.1,
		description: 'Starts the workflow',
		defaults: { name: 'Minimal Trigger' },
		inputs: [],
		outputs: ['main'],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				path: 'webhook',
				responseMode: 'onReceived',
				responseData: 'noData',
			},
		],
		properties: [],
	};

	webhook() {
		const { answer } = this.getQueryData();
		if (answer === 'refuse') {
			this.getResponseObject().status(401).json({ message: 'Refused' });
			return Promise.resolve({ noWebhookResponse: true });
		}
		if (answer === 'ignore') return Promise.resolve({ webhookResponse: { ignored: true } });
		return Promise.resolve({ workflowData: [[{ json: this.getBodyData() }]] });
	}
}

module.exports = { MinimalTrigger };
