import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { startSandbox, type Fault, type Sandbox } from '../../../sandbox/service';
import { NodeInWorkflow } from '../n8n/core';

/** The beginning of the error of a POST that may have had an effect. */
export const MAY_BE_DONE = 'may have carried out the request';

/** The service of a test file. */
export let sandbox: Sandbox;

/** Starts the service of a test file. Each test begins without a fault. */
export function useActions(): void {
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	afterAll(async () => await sandbox.stop());
	beforeEach(() => {
		sandbox.fault = undefined;
	});
}

/** Runs the action node on items. */
export const run = async (
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
	settings: Partial<INode> = {},
) => {
	const node = await NodeInWorkflow.create('voiceAgent', {
		parameters,
		credential: sandbox.credential,
	});
	node.settings = settings;
	return await node.execute(items);
};

/** A refusal of the service. */
export const status = (code: number, retryAfter?: string): Fault => ({
	kind: 'status',
	status: code,
	headers: retryAfter ? { 'retry-after': retryAfter } : {},
	body: { error: { message: 'Reason of the service' } },
});
