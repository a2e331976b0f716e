const { dest, src } = require('gulp');

/** Copies what tsc leaves behind: icons, codex files and output schemas. */
exports.default = () =>
	src(['{nodes,credentials}/**/*.{svg,json}'], { encoding: false }).pipe(dest('dist'));
