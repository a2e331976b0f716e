// n8n's strict configuration, as n8n Cloud demands it, for what is published.
import { config } from '@n8n/node-cli/eslint';

export default config;
