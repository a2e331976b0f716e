import { parseArgs } from 'node:util';
import { namedDialects, parseDialect } from './dialects';
import { startSandbox } from './service';

const help = `npx tsx sandbox/serve.ts [--port N] [--dialect TEXT]

Runs the stand-in for the voice-agent service, without n8n. Like the service, it delivers only to HTTPS
addresses. An n8n without HTTPS can use its API, but its triggers can't be published. \`npm start\` starts
an n8n with HTTPS.

  --port N        the port on this machine (8090)
  --dialect TEXT  the dialect: ${Object.keys(namedDialects).join(', ')};
                  or axes with values of sandbox/axes.ts, e.g. listEnvelope=array
  --help          show this`;

async function main() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '8090' },
			dialect: { type: 'string', default: 'assumed' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return console.log(help);
	const sandbox = await startSandbox({
		port: Number(values.port),
		dialect: parseDialect(values.dialect),
		log: console.log,
	});
	console.log(`
Sandbox of the voice-agent service, for trying and testing. Ctrl-C stops it and deletes its data.

  Page      ${sandbox.pageUrl}
  Base URL  ${sandbox.baseUrl}
  API key   ${sandbox.adminKey}
`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.stop());
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
