import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const RULES = 'node_modules/n8n/dist/modules/breaking-changes/rules/v3';

/**
 * The environment that gives n8n 2.41 the defaults of n8n 3.0, as far as it can be switched.
 *
 * @param folder in which n8n 2.41 is installed: its migration rules name the nodes that n8n 3.0 lacks
 */
export function defaultsOf3(folder: string, isQueueMode: boolean): NodeJS.ProcessEnv {
	const removed = ['removed-nodes.rule.js', 'removed-nodes-with-replacements.rule.js']
		.map((file) => readFileSync(join(folder, RULES, file), 'utf8'))
		.flatMap((rule) => [...rule.matchAll(/^\s*(?:removedNodeType: )?'(@?[\w/-]+\.\w+)',$/gm)])
		.map(([, type]) => type);
	// These two are off in n8n 2, too.
	const off = ['n8n-nodes-base.executeCommand', 'n8n-nodes-base.localFileTrigger'];
	return {
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_ENV_FEAT_ENCRYPTION_KEY_ROTATION: 'true',
		N8N_EXPRESSION_ENGINE: 'vm',
		N8N_DISABLED_MODULES: 'chat-hub,mcp-registry',
		N8N_DEFAULT_BINARY_DATA_MODE: isQueueMode ? 'database' : 'filesystem',
		N8N_MIGRATE_FS_STORAGE_PATH: 'true',
		N8N_RUNNERS_TASK_TIMEOUT: '60',
		N8N_COMPRESSION_NODE_MAX_DECOMPRESSED_SIZE_BYTES: '268435456',
		N8N_COMPRESSION_NODE_MAX_ZIP_ENTRIES: '1000',
		N8N_WORKFLOW_CALLER_POLICY_DEFAULT_OPTION: 'workflowsFromSameOwner',
		NODES_EXCLUDE: JSON.stringify([...new Set([...off, ...removed])]),
		...(isQueueMode && { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' }),
	};
}
