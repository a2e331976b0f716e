/**
 * Keeps n8n's log silent: a thousand odd services give the nodes much to warn of. To be imported
 * before n8n is.
 */
process.env.N8N_LOG_LEVEL = 'silent';
