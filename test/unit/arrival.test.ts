import type { IDataObject } from 'n8n-workflow';

import { hasArrived, readAttempt } from '../../nodes/VoiceAgent/log/attempts';

const N8N = 'https://n8n.example.com/webhook/6d1c/webhook?voice_agent_token=abc';
const CRM = 'https://crm.example.com/hooks';
const page = { response_status: 200, response_body: '<!DOCTYPE html><title>Log in</title>' };
const starting = { response_status: 200, response_body: 'n8n is starting up. Please wait' };

test.each<[string, IDataObject, atN8n: boolean | null, atOther: boolean | null]>([
	['a failure with 200', { status: 'failed', response_status: 200 }, true, null],
	['a failure with a web page', { status: 'failed', ...page }, false, null],
	['a web page', { status: 'delivered', ...page }, false, null],
	["n8n's answer while it starts", { status: 'failed', ...starting }, false, false],
	['a delivery with 503', { status: 'delivered', response_status: 503 }, false, null],
	["a proxy's login", { response_status: 302 }, false, null],
	['a delivery with 308', { status: 'delivered', response_status: 308 }, false, true],
	['a retry after 500', { status: 'retrying', response_status: 500 }, false, false],
	['a delivery under way', { status: 'pending', response_status: null }, null, null],
	['a success without a status', { status: 'delivered' }, true, true],
	['a failure without a status', { status: 'failed' }, false, false],
])('%s arrived at n8n or at another receiver', (_name, record, atN8n, atOther) => {
	const at = (url: string) => hasArrived(readAttempt(record, { id: 'we_1', url }).details);
	expect([at(N8N), at(CRM)]).toEqual([atN8n, atOther]);
});
