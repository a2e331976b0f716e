import { fc } from '../random';

/**
 * A point on which services differ, with its productions: each a name and what is drawn with it. The
 * first is the plainest; a failing service is shrunken towards it.
 */
export type Axis = Record<string, Record<string, fc.Arbitrary<unknown>>>;
export type Axes = Record<string, Axis>;

type Parameter<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;

/** One production of an axis, as drawn. */
export type Drawn<Of extends Axis> = {
	[Kind in keyof Of]: { kind: Kind } & {
		[Name in keyof Of[Kind]]: Parameter<Of[Kind][Name]>;
	};
}[keyof Of];

/** One production of each axis. */
export type DrawnOf<Of extends Axes> = { [Name in keyof Of]: Drawn<Of[Name]> };

/** How often each production was drawn, by axis. */
export type Tally = Record<string, Record<string, number>>;

/** Draws a production of each axis. */
export function arbitraryOf<Of extends Axes>(axes: Of): fc.Arbitrary<DrawnOf<Of>> {
	const drawn = Object.entries(axes).map(([name, axis]) => [name, productionOf(axis)] as const);
	return fc.record(Object.fromEntries(drawn)) as fc.Arbitrary<DrawnOf<Of>>;
}

/** @returns a tally of nothing yet, with every production in it */
export function emptyTally(axes: Axes): Tally {
	return Object.fromEntries(
		Object.entries(axes).map(([name, axis]) => [
			name,
			Object.fromEntries(Object.keys(axis).map((kind) => [kind, 0])),
		]),
	);
}

/** Counts the productions of a drawn service. */
export function count(tally: Tally, drawn: Record<string, { kind: PropertyKey }>): void {
	for (const [axis, { kind }] of Object.entries(drawn)) tally[axis]![String(kind)]!++;
}

/** Says in what a drawn service differs from the plainest one, a line for each axis. */
export function describe(axes: Axes, drawn: Record<string, { kind: PropertyKey }>): string {
	const lines = Object.entries(drawn).flatMap(([axis, { kind, ...parameters }]) => {
		const isPlain = kind === Object.keys(axes[axis]!)[0];
		const shown = Object.keys(parameters).length > 0 ? ` ${JSON.stringify(parameters)}` : '';
		return isPlain && !shown ? [] : [`  ${axis}: ${String(kind)}${shown}`];
	});
	return lines.join('\n') || '  (the plainest service)';
}

function productionOf(axis: Axis): fc.Arbitrary<unknown> {
	const [plain, ...others] = Object.entries(axis).map(([kind, parameters]) =>
		fc.record({ kind: fc.constant(kind), ...parameters }),
	);
	return fc.oneof(
		{ withCrossShrink: true },
		{ weight: Math.max(1, others.length >> 1), arbitrary: plain! },
		...others.map((arbitrary) => ({ weight: 1, arbitrary })),
	);
}
