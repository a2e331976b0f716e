const { mkdir, rm, writeFile } = require('node:fs/promises');
const { posix } = require('node:path');
const { build } = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const { minify } = require('terser');
const { n8n } = require('./package.json');

const BUNDLE = 'dist/bundle.js';
/** The files that n8n loads. Each exports the class of its name. */
const entries = [...n8n.nodes, ...n8n.credentials];
const sourceOf = (entry) => entry.replace(/^dist\/(.+)\.js$/, './$1');

/** Removes the previous build, so that none of its files is published. */
const clean = () => rm('dist', { recursive: true, force: true });

/** Copies icons, codex files and output schemas. */
const assets = () =>
	src(['{nodes,credentials}/**/*.{svg,json}'], { encoding: false }).pipe(dest('dist'));

/** Each function stays, with its name, so that a stack trace can be read. Names inside of it are shortened. */
const compress = { hoist_funs: true, inline: false, reduce_funcs: false, toplevel: true };

/** Bundles all code in one file, because n8n loads one file faster than a hundred. */
async function bundle() {
	const { outputFiles } = await build({
		stdin: {
			contents: entries.map((file) => `export * from '${sourceOf(file)}';`).join('\n'),
			resolveDir: '.',
		},
		bundle: true,
		charset: 'utf8',
		minifySyntax: true,
		packages: 'external',
		platform: 'node',
		write: false,
	});
	const { code } = await minify(outputFiles[0].text, { compress });
	await mkdir('dist', { recursive: true });
	await writeFile(BUNDLE, code);
}

/** Writes the files that n8n loads. Each exports the bundle. */
async function stubs() {
	for (const file of entries) {
		const folder = posix.dirname(file);
		await mkdir(folder, { recursive: true });
		await writeFile(file, `module.exports = require('${posix.relative(folder, BUNDLE)}');\n`);
	}
}

exports.default = series(clean, parallel(assets, bundle, stubs));
