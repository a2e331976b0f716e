import { join } from 'node:path';
import ts from 'typescript';

/**
 * Compiles now, and again whenever a source file has been saved, as long as it is not closed. Of a
 * program with an error nothing is written.
 *
 * @param source the folder of `tsconfig.json`
 * @param outDir takes what is compiled
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
		// It would print that it watches.
		() => {},
	);
	/** The compiler makes a new object for a file that was saved, and keeps those of the others. */
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
