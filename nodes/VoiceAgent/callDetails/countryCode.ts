/** The option Country Code, which completes national phone numbers. */
import type { INodeProperties } from 'n8n-workflow';

import { MOST_DIGITS, WITHHELD } from './phoneNumbers';

/** Digits before a national number where they are not a single 0: nothing in Italy and others, 06 in Hungary. */
const PREFIXES: ReadonlyMap<string, RegExp> = new Map([
	...['+39', '+378', '+225', '+229', '+242'].map((code): [string, RegExp] => [code, /^$/]),
	['+36', /^06/],
]);

/** National numbers where they have ten digits, or up to eleven without a leading 0: Brazil, China. */
const NATIONAL: ReadonlyMap<string, RegExp> = new Map([
	...['+1', '+7'].map((code): [string, RegExp] => [code, /^\d{10}$/]),
	...['+55', '+86'].map((code): [string, RegExp] => [code, /^\d{1,11}$/]),
]);

/** The fewest digits of a number that can begin with its country code. */
const FEWEST_WITH_CODE = 11;

/**
 * Reads a country code: `+49`.
 *
 * @returns undefined for any other text
 */
export function parseCountryCode(code: string): string | undefined {
	return /^\+[1-9]\d{0,2}$/.test(code) ? code : undefined;
}

/**
 * Completes a national number to E.164: `0301234567` with `+49` → `+49301234567`.
 *
 * @param phone E.164, digits, or WITHHELD
 * @returns the number unchanged if it has a country code, or can't be a number of that country; null if it
 *   is hidden
 */
export function completeNumber(phone: string | null, countryCode?: string): string | null {
	if (phone === null || phone === WITHHELD) return null;
	// A number that begins with 00 is foreign.
	if (!countryCode || !/^(?!00)\d+$/.test(phone)) return phone;
	const code = countryCode.slice(1);
	const hasCode = phone.length >= FEWEST_WITH_CODE && phone.startsWith(code);
	const prefix = PREFIXES.get(countryCode) ?? /^0/;
	const national = hasCode ? phone.slice(code.length) : phone.replace(prefix, '');
	// A longer number begins with the code of another country, or of a carrier.
	const most = hasCode || phone.startsWith('0') ? MOST_DIGITS - code.length : 10;
	return isNational(national, countryCode, most) ? `+${code}${national}` : phone;
}

/** @param most the most digits of a national number in most countries */
function isNational(number: string, countryCode: string, most: number): boolean {
	return NATIONAL.get(countryCode)?.test(number) ?? number.length <= most;
}

/** The option in the editor. */
export const countryCodeProperty: INodeProperties = {
	displayName: 'Country Code',
	name: 'countryCode',
	type: 'string',
	noDataExpression: true,
	default: '',
	placeholder: 'e.g. +1',
	description:
		'The country of phone numbers that the service sends without one: with +49, 0301234567 becomes +49301234567',
};
