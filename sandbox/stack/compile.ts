import { join } from 'node:path';
import ts from 'typescript';

/**
 * Compiles now, and again after each saved source file, until it is closed. A program with an error is
 * not written.
 *
 * @param source the folder of `tsconfig.json`
 * @param outDir the folder for the compiled files
 * @param onCompiled gets the paths of the files that were read for this compilation, and the
 * compiler's errors as it prints them, empty if there are none
 */
export function compileOnSave(
	source: string,
	outDir: string,
	onCompiled: (files: string[], errors: string) => void,
): { close(): void } {
	const format: ts.FormatDiagnosticsHost = {
		getCurrentDirectory: () => source,
		getCanonicalFileName: (file) => file,
		getNewLine: () => '\n',
	};
	const host = ts.createWatchCompilerHost(
		join(source, 'tsconfig.json'),
		{ outDir, noEmitOnError: true },
		ts.sys,
		ts.createEmitAndSemanticDiagnosticsBuilderProgram,
		undefined,
		// The compiler would print that it watches.
		() => {},
	);
	/** The compiler makes a new object for a saved file, and keeps the objects of the others. */
	let known: readonly ts.SourceFile[] = [];
	host.afterProgramCreate = (program) => {
		const sourceFiles = program.getSourceFiles();
		const read = sourceFiles.filter((file) => !known.includes(file));
		known = sourceFiles;
		const { diagnostics } = program.emit();
		onCompiled(
			read.map(({ fileName }) => fileName),
			ts.formatDiagnostics(diagnostics, format),
		);
	};
	return ts.createWatchProgram(host);
}
