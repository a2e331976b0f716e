import type { CountryCode } from 'libphonenumber-js/max';

/** A number, and the writings that CRMs and calls have of it. */
export interface WrittenNumber {
	country: CountryCode;
	/** Writings that state the country. */
	withCountry: string[];
	/** Writings for use inside the country. */
	national: string[];
}

/** Twelve numbers of ten countries. The first writing of each is E.164. */
export const WRITTEN_NUMBERS: WrittenNumber[] = [
	{
		country: 'GB',
		withCountry: [
			'+442079460321',
			'+44 (0)20 7946 0321',
			'0044 20 7946 0321',
			'+44 020 7946 0321',
			'tel:+44-20-7946-0321',
		],
		national: ['020 7946 0321', '(020) 7946-0321', '2079460321', '020 7946 0321 ext. 45'],
	},
	{
		country: 'GB',
		withCountry: ['+447400123456', '+44 7400 123456', '00447400123456', '+44(0)7400 123 456'],
		national: ['07400 123456', '7400123456', '07400-123-456'],
	},
	{
		country: 'US',
		withCountry: ['+14155550187', '+1 (415) 555-0187', '001 415 555 0187', '+1.415.555.0187'],
		national: [
			'(415) 555-0187',
			'4155550187',
			'415.555.0187',
			'(415) 555-0187 x45',
			'1-415-555-0187',
			'14155550187',
		],
	},
	{
		country: 'US',
		withCountry: ['+12125550143', '+1 212-555-0143', '+1 212 555 0143 ext 7'],
		national: ['212-555-0143', '(212)555-0143', '1 212 555 0143'],
	},
	{
		country: 'DE',
		withCountry: ['+493023125014', '+49 (0)30 23125014', '0049-30-23125014', '+49 30/23125014'],
		national: ['030 23125014', '030/231 250 14', '(030) 23125014', '3023125014'],
	},
	{
		country: 'FR',
		withCountry: ['+33123456789', '+33 (0)1 23 45 67 89', '0033 1 23 45 67 89'],
		national: ['01 23 45 67 89', '01.23.45.67.89', '123456789'],
	},
	{
		country: 'RU',
		withCountry: ['+79161234567', '+7 (916) 123-45-67', '007 916 123 45 67'],
		national: ['8 916 123-45-67', '8(916)1234567', '9161234567', '89161234567'],
	},
	{
		country: 'IT',
		withCountry: ['+390612345678', '+39 06 1234 5678', '0039 06 12345678'],
		national: ['06 1234 5678', '0612345678', '06-12345678'],
	},
	{
		country: 'AU',
		withCountry: ['+61291234567', '+61 2 9123 4567', '+61 (0)2 9123 4567', '0011 61 2 9123 4567'],
		national: ['02 9123 4567', '(02) 9123 4567', '291234567'],
	},
	{
		country: 'CH',
		withCountry: ['+41446681800', '+41 44 668 18 00', '0041 (0)44 668 18 00'],
		national: ['044 668 18 00', '044/668 18 00', '446681800'],
	},
	{
		country: 'IN',
		withCountry: ['+919123456789', '+91 91234 56789', '0091-9123456789', '+91 091234 56789'],
		national: ['091234 56789', '9123456789', '91234-56789'],
	},
	{
		country: 'DK',
		withCountry: ['+4532123456', '+45 32 12 34 56', '0045 32123456'],
		national: ['32 12 34 56', '32123456', '32-12-34-56'],
	},
];
