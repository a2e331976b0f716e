import { chosenLine, installN8n } from './stack/install-n8n';

/** Installs n8n before the tests, so that no test waits for the install. */
async function main(): Promise<void> {
	await installN8n(chosenLine());
}

main().catch((error: unknown) => {
	console.error(`✖ ${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});
