/** The names that files define at their top level. */
import {
	type BindingName,
	canHaveModifiers,
	createSourceFile,
	type DeclarationStatement,
	getModifiers,
	isIdentifier,
	isOmittedExpression,
	isVariableStatement,
	ScriptTarget,
	type Statement,
	SyntaxKind,
} from 'typescript';

/** Constants that n8n's conventions repeat in each file of their kind. */
const REPEATED_BY_CONVENTION = ['displayOptions', 'description'];

/** @returns the names in a pattern: `{ a, b: [c] }` -> `a`, `c` */
const boundNames = (name: BindingName): string[] =>
	isIdentifier(name)
		? [name.text]
		: name.elements.flatMap((element) =>
				isOmittedExpression(element) ? [] : boundNames(element.name),
			);

function namesOf(statement: Statement): string[] {
	if (isVariableStatement(statement)) {
		return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
	}
	const { name } = statement as DeclarationStatement;
	return name ? [name.text] : [];
}

const isExported = (statement: Statement) =>
	canHaveModifiers(statement) &&
	getModifiers(statement)?.some(({ kind }) => kind === SyntaxKind.ExportKeyword);

/** @returns the functions, constants, classes and types of a file, without an operation's exports */
export function topLevelNames(file: string, text: string): Set<string> {
	const { statements } = createSourceFile(file, text, ScriptTarget.Latest);
	const own = file.endsWith('.operation.ts')
		? statements.filter((statement) => !isExported(statement))
		: statements;
	return new Set(own.flatMap(namesOf));
}

/**
 * Finds the names that more than one file defines, apart from those that conventions repeat.
 *
 * @param files the texts of TypeScript files by their paths
 * @returns each name with its files: `best: api/a.ts, delivery/b.ts`
 */
export function findSharedNames(files: Array<{ file: string; text: string }>): string[] {
	const homes = new Map<string, string[]>();
	for (const { file, text } of files) {
		for (const name of topLevelNames(file, text)) {
			homes.set(name, [...(homes.get(name) ?? []), file]);
		}
	}
	return [...homes]
		.filter(([name, where]) => where.length > 1 && !REPEATED_BY_CONVENTION.includes(name))
		.map(([name, where]) => `${name}: ${where.join(', ')}`)
		.sort();
}
