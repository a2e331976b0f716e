import { parseArgs } from 'node:util';
import { parseDialect } from './dialects';
import { startSandbox } from './service';

/** Starts the sandbox alone: `tsx sandbox/serve.ts [--port N] [--dialect TEXT]`. */
async function main() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '8090' },
			dialect: { type: 'string', default: 'assumed' },
		},
	});
	const sandbox = await startSandbox({
		port: Number(values.port),
		dialect: parseDialect(values.dialect),
		log: console.log,
	});
	console.log(`
Sandbox of the voice-agent service, for trying and testing. Ctrl-C stops it and forgets everything.

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
