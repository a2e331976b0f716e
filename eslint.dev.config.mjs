// For everything that is not published: nodes, credentials and package.json have eslint.config.mjs.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{ ignores: ['dist', 'nodes', 'credentials', 'node_modules', '.tmp'] },
	js.configs.recommended,
	{
		files: ['**/*.ts'],
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
