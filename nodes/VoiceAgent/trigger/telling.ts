import type { EventText } from './eventTexts';
import {
	isCovered,
	isEveryType,
	isMeant,
	isWildcard,
	memberOf,
	nameFinder,
	spelledWords,
	type NameFinder,
} from './eventNames';

/** What the texts of an event tell of its type. */
export interface Telling {
	kind: TellingKind;
	/** The name as it was chosen or as the catalog spells it, else the text that tells most. */
	type?: string;
}

export type TellingKind =
	/** Its type was chosen; where every type is, it is one of the catalog's. */
	| 'chosen'
	/** Its type is one of the catalog's that was not chosen. */
	| 'notChosen'
	/** Its type is none that the catalog has. */
	| 'unknown'
	/** It only tries whether the endpoint answers. */
	| 'probe'
	/** It tells no type. */
	| 'untold';

/** Words that are said of any delivery: a text of nothing else tells no type. */
const SAYS_NOTHING =
	/^((web)?hook|event|notification|message|callback|update|deliver(y|ie)|batch|bulk|list|subscription|request|url|endpoint)s?$/;

/** Words of requests that only try whether the endpoint answers. */
const SAYS_PROBE =
	/^(ping|test|sample|handshake|challenge|verify|verification|validate|validation|confirmation)$/;

/**
 * Makes the function that tells an event's type from its texts, see {@link EventText}.
 *
 * The best place decides, but for this: a type that was chosen is found at any of them, and a text
 * that is no name of the catalog hides none that is, unless it is written like one (`call.moved` where
 * the catalog has `call.started`). What the event only mentions counts where nothing else tells.
 *
 * @param chosen names or wildcards; empty means every event type
 * @param catalog the names that could be chosen
 */
export function typeTeller(chosen: string[], catalog: string[]): (texts: EventText[]) => Telling {
	const isEvery = isEveryType(chosen);
	const isChosen = memberOf(chosen);
	const findChosen = nameFinder(chosen);
	// Most deliveries are settled without these: they tell a chosen type as it was chosen.
	let wildcards: string[] | undefined;
	const wildcardsOf = () => (wildcards ??= chosen.filter(isWildcard));
	let findAny: NameFinder | undefined;
	const findName: NameFinder = (text) => (findAny ??= nameFinder([...chosen, ...catalog]))(text);

	const chosenName = ({ text }: EventText): string | undefined => {
		if (wildcardsOf().length === 0 && findChosen(text) === undefined) return undefined;
		const name = findName(text);
		return name !== undefined && isCovered(name, chosen) ? name : undefined;
	};
	const unknownOfWildcard = ({ text }: EventText): string | undefined =>
		wildcardsOf().some((wildcard) => isMeant(wildcard, text)) && findName(text) === undefined
			? text
			: undefined;
	const isWrittenLikeName = ({ text }: EventText): boolean => {
		const family = /^\w+?[._:/-]/.exec(text)?.[0];
		const isOfFamily = (name: string) => family !== undefined && name.startsWith(family);
		return (
			(chosen.some(isOfFamily) || catalog.some(isOfFamily)) &&
			findName(text) === undefined &&
			!saysLittle(text)
		);
	};

	return (texts) => {
		const own = texts.filter((text) => text.own);
		const findIn = (some: EventText[]) =>
			some.find(({ text }) => isChosen(text))?.text ??
			firstOf(some, chosenName) ??
			firstOf(some, unknownOfWildcard);
		const chosenType = isEvery ? undefined : findIn(own);
		if (chosenType !== undefined) return { kind: 'chosen', type: chosenType };

		const named = own.find(({ text }) => findName(text) !== undefined);
		if (named) {
			const better = own.slice(0, own.indexOf(named)).find(isWrittenLikeName);
			if (better) return { kind: 'unknown', type: better.text };
			return { kind: isEvery ? 'chosen' : 'notChosen', type: findName(named.text) };
		}
		const mentioned = isEvery ? undefined : findIn(texts);
		if (mentioned !== undefined) return { kind: 'chosen', type: mentioned };

		const usual = own.filter(({ usual }) => usual);
		const telling = usual.find(({ text }) => !saysLittle(text));
		if (telling) return { kind: 'unknown', type: (usual.find(isWrittenLikeName) ?? telling).text };
		const isProbe =
			usual.some(({ text }) => spelledWords(text).some((word) => SAYS_PROBE.test(word))) &&
			!own.some(({ text }) => /^\w+[.:]\w/.test(text) && !saysLittle(text));
		return { kind: isProbe ? 'probe' : 'untold', type: usual[0]?.text };
	};
}

function saysLittle(text: string): boolean {
	return spelledWords(text).every((word) => SAYS_NOTHING.test(word) || SAYS_PROBE.test(word));
}

function firstOf<T, R>(values: T[], read: (value: T) => R | undefined): R | undefined {
	for (const value of values) {
		const result = read(value);
		if (result !== undefined) return result;
	}
	return undefined;
}
