import { isLocalHost } from '../../nodes/VoiceAgent/service/credential';

test.each([
	...['localhost', '127.0.0.1', '[::1]', '192.168.1.20', '10.0.0.4', '172.16.3.1'],
	...['169.254.1.1', '[fd00::1]', '[fe80::1]', 'n8n', 'n8n.local', 'n8n.lan', 'nas.home.arpa'],
])('%s is known in its own network only', (host) => expect(isLocalHost(host)).toBe(true));

test.each([
	...['n8n.example.com', 'localhost.example.com', 'local.example', 'n8n.homes', '172.32.0.1'],
	...['8.8.8.8', '[2001:db8::1]', '192.169.1.20', '10.example.com'],
])('%s may be on the internet', (host) => expect(isLocalHost(host)).toBe(false));
