import { warningOfLocalUrl } from '../../nodes/VoiceAgent/service/hosts';

test.each([
	...[
		'localhost',
		'localhost:5678',
		'127.0.0.1',
		'[::1]',
		'192.168.1.20',
		'10.0.0.4',
		'172.16.3.1',
	],
	...['169.254.1.1', '[fd00::1]', '[fe80::1]', 'n8n', 'n8n.local', 'n8n.lan', 'nas.home.arpa'],
])('a webhook at %s has a warning that says what to set', (host) => {
	const warning = warningOfLocalUrl(`https://${host}/webhook/1/webhook`);
	expect(warning).toContain(`its webhook is at ${host}, which only its own network knows`);
	expect(warning).toContain("Set n8n's N8N_WEBHOOK_URL (before n8n 2.35: WEBHOOK_URL)");
});

test.each([
	...['n8n.example.com', 'localhost.example.com', 'local.example', 'n8n.homes', '172.32.0.1'],
	...['8.8.8.8', '[2001:db8::1]', '192.169.1.20', '10.example.com'],
])('a webhook at %s has no warning', (host) => {
	expect(warningOfLocalUrl(`https://${host}/webhook/1/webhook`)).toBeUndefined();
});
