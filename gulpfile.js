const { rm } = require('node:fs/promises');
const { dest, src } = require('gulp');

/** Removes what an earlier build left, so that no file of it is published. */
exports.clean = () => rm('dist', { recursive: true, force: true });

/** Copies what tsc leaves behind: icons, codex files and output schemas. */
exports.default = () =>
	src(['{nodes,credentials}/**/*.{svg,json}'], { encoding: false }).pipe(dest('dist'));
