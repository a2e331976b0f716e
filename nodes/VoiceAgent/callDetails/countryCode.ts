/** The longest number, with its country code, in digits. */
const LONGEST = 15;

/** Where a national number has ten digits, whatever stands before it: North America, Russia. */
const TEN_DIGITS: ReadonlySet<string> = new Set(['+1', '+7']);

/** Where the leading 0 is part of the number: Italy, San Marino, Ivory Coast, Benin, Congo. */
const KEEPS_ZERO: ReadonlySet<string> = new Set(['+39', '+378', '+225', '+229', '+242']);

/** Where a number has so many digits, its first ones are taken for the country code. */
const WITH_CODE = 11;

/**
 * Reads a country code: `' +49 '` → `+49`.
 *
 * @returns undefined where the text is none
 */
export function parseCountryCode(text: unknown): string | undefined {
	const code = typeof text === 'string' ? text.trim() : '';
	return /^\+[1-9]\d{0,2}$/.test(code) ? code : undefined;
}

/**
 * Completes a national number to E.164: `0301234567` with `+49` → `+49301234567`.
 *
 * @param phone as call details have it: E.164, or digits
 * @returns the number unchanged where it has a country code, or can't be one of that country
 */
export function completeNumber(phone: string, countryCode: string): string {
	// 00 is how a foreign number is dialled.
	if (!/^(?!00)\d+$/.test(phone)) return phone;
	const code = countryCode.slice(1);
	const hasCode = phone.length >= WITH_CODE && phone.startsWith(code);
	const withoutZero = KEEPS_ZERO.has(countryCode) ? phone : phone.replace(/^0/, '');
	const national = hasCode ? phone.slice(code.length) : withoutZero;
	const isComplete = TEN_DIGITS.has(countryCode)
		? national.length === 10
		: code.length + national.length <= LONGEST;
	return isComplete ? `+${code}${national}` : phone;
}
