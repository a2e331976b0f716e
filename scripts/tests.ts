/** The tests that files declare. */
import {
	type CallExpression,
	createSourceFile,
	type Expression,
	isCallExpression,
	isIdentifier,
	isPropertyAccessExpression,
	isStringLiteralLike,
	type Node,
	ScriptTarget,
	isTaggedTemplateExpression,
} from 'typescript';

/** @returns the words of a callee: `test.each(rows)` -> `test`, `each` */
function calleeWords(callee: Expression): string[] {
	if (isIdentifier(callee)) return [callee.text];
	if (isPropertyAccessExpression(callee))
		return [...calleeWords(callee.expression), callee.name.text];
	if (isCallExpression(callee)) return calleeWords(callee.expression);
	return isTaggedTemplateExpression(callee) ? calleeWords(callee.tag) : [];
}

function titleOf({ arguments: [title] }: CallExpression): string {
	return title && isStringLiteralLike(title) ? title.text : '';
}

/**
 * Lists the titles of the tests that a file runs, each after the titles of its blocks:
 * `the removal > of an endpoint`. A test that is skipped, or in a skipped block, is left out.
 */
export function runTests(file: string, text: string): string[] {
	const titles: string[] = [];
	const visit = (node: Node, around: string[]): void => {
		let inside = around;
		if (isCallExpression(node)) {
			const [kind = '', ...modifiers] = calleeWords(node.expression);
			const title = titleOf(node);
			if (title !== '' && ['test', 'it', 'describe'].includes(kind)) {
				if (modifiers.some((modifier) => ['skip', 'todo'].includes(modifier))) return;
				inside = [...around, title];
				if (kind !== 'describe') titles.push(inside.join(' > '));
			}
		}
		node.forEachChild((child) => visit(child, inside));
	};
	visit(createSourceFile(file, text, ScriptTarget.Latest), []);
	return titles;
}
