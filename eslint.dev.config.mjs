// For everything that is not published, and the bounds of functions for what is: for all else, nodes,
// credentials and package.json have eslint.config.mjs, which is n8n's own.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const PUBLISHED = ['nodes/**', 'credentials/**'];

export default tseslint.config(
	{ ignores: ['dist', 'node_modules', '.tmp'] },
	{
		files: ['{nodes,credentials}/**/*.ts'],
		languageOptions: { parser: tseslint.parser },
		rules: {
			complexity: ['error', 12],
			'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
		},
	},
	{ ...js.configs.recommended, ignores: PUBLISHED },
	{
		files: ['**/*.ts'],
		ignores: PUBLISHED,
		extends: [tseslint.configs.recommendedTypeChecked],
		languageOptions: { parserOptions: { project: './test/tsconfig.json' } },
	},
	{
		files: ['**/*.js', '**/*.mjs'],
		languageOptions: {
			globals: {
				process: 'readonly',
				console: 'readonly',
				module: 'writable',
				exports: 'readonly',
				require: 'readonly',
			},
		},
	},
);
