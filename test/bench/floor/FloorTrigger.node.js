/** A trigger that does nothing but pass on, refuse or ignore what comes, as the query says. */
class FloorTrigger {
	description = {
		displayName: 'Floor Trigger',
		name: 'floorTrigger',
		group: ['trigger'],
		version: 1.1,
		description: 'Starts the workflow',
		defaults: { name: 'Floor Trigger' },
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

module.exports = { FloorTrigger };
