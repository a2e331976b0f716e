import { installN8n, type Line } from './stack/install-n8n';

/** The lines of n8n that the tests run; installing them first keeps that out of the tests' time. */
const lines: Line[] = ['2.41', '1.123'];

async function main(): Promise<void> {
	for (const line of lines) await installN8n(line);
}

main().catch((error: unknown) => {
	console.error(`✖ ${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});
