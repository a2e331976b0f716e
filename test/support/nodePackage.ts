import path from 'node:path';

import { PackageDirectoryLoader } from 'n8n-core';
import type { ICredentialType, INodeType, INodeTypes } from 'n8n-workflow';

/** The nodes of a package, and their credential type. */
export interface NodePackage {
	nodeTypes: INodeTypes;
	credentialType: ICredentialType;
}

let loaded: Promise<NodePackage> | undefined;

/** Loads the built package by its package.json, with n8n-core's loader. */
export async function loadPackage(): Promise<NodePackage> {
	loaded ??= loadPackageFrom(path.resolve(__dirname, '../..'));
	return await loaded;
}

/** Loads a built package from another folder. */
export async function loadPackageFrom(folder: string): Promise<NodePackage> {
	const loader = new PackageDirectoryLoader(folder);
	await loader.loadAll();
	// n8n derives the tool of an action node from the node's type.
	const getType = (name: string) =>
		loader.getNode(name.replace(/^.*\.|Tool$/g, '')).type as INodeType;
	const nodeTypes: INodeTypes = {
		getByName: getType,
		getByNameAndVersion: getType,
		getKnownTypes: () => ({}),
	};
	return { nodeTypes, credentialType: loader.getCredential('voiceAgentApi').type };
}
