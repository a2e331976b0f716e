import path from 'node:path';

import { PackageDirectoryLoader } from 'n8n-core';
import * as workflow from 'n8n-workflow';
import type { ICredentialType, INodeType, INodeTypes } from 'n8n-workflow';

/** The nodes of a package, and their credential type. */
export interface NodePackage {
	nodeTypes: INodeTypes;
	credentialType: ICredentialType;
}

const root = path.resolve(__dirname, '../../..');

let loaded: Promise<NodePackage> | undefined;

/** Loads the built package by its package.json, with n8n-core's loader. */
export async function loadPackage(): Promise<NodePackage> {
	loaded ??= loadPackageFrom(root);
	return await loaded;
}

const processes: NodePackage[] = [];

/** Loads the built package as another process of n8n does: nothing in the memory of its modules is shared. */
export async function loadInProcess(index: number): Promise<NodePackage> {
	const { credentialType } = await loadPackage();
	await jest.isolateModulesAsync(async () => {
		// The test's waits stay those of the node.
		jest.doMock('n8n-workflow', () => workflow);
		processes[index] ??= { ...(await loadPackageFrom(root)), credentialType };
	});
	return processes[index]!;
}

/** Loads a built package from another folder. */
export async function loadPackageFrom(folder: string): Promise<NodePackage> {
	const loader = new PackageDirectoryLoader(folder);
	await loader.loadAll();
	// n8n derives the tool of an action node from the node's type.
	const getType = (name: string) =>
		loader.getNode(name.replace(/^.*\.|Tool$/g, '')).type as INodeType;
	const nodeTypes = { getByName: getType, getByNameAndVersion: getType, getKnownTypes: () => ({}) };
	return { nodeTypes, credentialType: loader.getCredential('voiceAgentApi').type };
}
