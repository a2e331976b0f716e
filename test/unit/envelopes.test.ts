import { readEventTypes } from '../../nodes/VoiceAgent/answers/catalog';
import { findList, type Resource } from '../../nodes/VoiceAgent/answers/lists';
import {
	readApiKey,
	readCreatedEndpoint,
	readEndpoint,
} from '../../nodes/VoiceAgent/answers/records';
import { looksMasked } from '../../nodes/VoiceAgent/api/secrets';
import { fc } from '../support/random';

const entriesIn = (body: unknown, resource: Resource) => findList(body, resource)?.entries;

describe('in envelopes of any name', () => {
	const word = fc
		.stringMatching(/^[a-z]{3,8}$/)
		.filter((name) => !/^(id|url|key|events)$/.test(name));
	const noise = fc.dictionary(
		word.map((name) => `x${name}`),
		fc.oneof(
			fc.integer({ min: 1 }),
			fc.string(),
			fc.array(word),
			fc.record({ id: fc.uuid(), name: word }),
			fc.array(fc.record({ id: fc.uuid(), name: word }), { minLength: 1 }),
		),
		{ maxKeys: 4 },
	);
	/** Puts a value into envelopes with random names and random fields beside it. */
	const nested = <T>(value: T) =>
		fc
			.array(fc.tuple(word, noise, fc.option(fc.uuid(), { nil: undefined })), { maxLength: 3 })
			.map((envelopes) =>
				envelopes.reduce<unknown>(
					(inner, [name, beside, id]) => ({ ...(id && { id }), ...beside, [name]: inner }),
					value,
				),
			);
	const bare = fc.record({ id: fc.uuid(), url: fc.webUrl(), events: fc.array(word) });
	/** An endpoint in one of the forms of the contract. */
	const entry = bare.chain(({ id, ...fields }) =>
		fc.tuple(
			fc.constant({ id, ...fields }),
			fc.oneof(
				fc.constant({ id, ...fields }),
				word.map((name) => ({ id, [name]: fields })),
				word.map((name) => ({ ...fields, [name]: { id } })),
				word.map((name) => ({ [name]: { id, ...fields } })),
			),
		),
	);

	test('lists are found', () => {
		fc.assert(
			fc.property(
				fc
					.array(entry, { minLength: 1, maxLength: 5 })
					.chain((entries) =>
						fc.tuple(
							fc.constant(entries.map(([plain]) => plain)),
							nested(entries.map(([, shown]) => shown)),
						),
					),
				([plain, body]) => {
					const list = entriesIn(body, 'webhooks')?.map(readEndpoint);
					expect(list).toMatchObject(plain);
				},
			),
		);
	});

	test('empty lists are found', () => {
		fc.assert(
			fc.property(nested([]), (body) => {
				expect(entriesIn(body, 'webhooks')).toEqual([]);
			}),
		);
	});

	test('created endpoints are found', () => {
		fc.assert(
			fc.property(
				bare.chain((plain) => fc.tuple(fc.constant(plain), nested(plain))),
				([plain, body]) => {
					expect(readCreatedEndpoint(body, plain.url)).toMatchObject(plain);
				},
			),
		);
	});

	test('created keys are found', () => {
		const key = fc
			.tuple(word, word)
			.map((words) => `svc_live_1${words.join('-')}`)
			.filter((text) => !looksMasked(text));
		fc.assert(
			fc.property(
				fc
					.record({
						id: fc.uuid(),
						name: word,
						key,
						prefix: fc.constant('svc_live_'),
						scopes: fc.array(word),
					})
					.chain((plain) => fc.tuple(fc.constant(plain), nested(plain))),
				([plain, body]) => expect(readApiKey(body)).toEqual(plain),
			),
		);
	});

	test('catalogs are found', () => {
		const name = fc.tuple(word, word).map((words) => words.join('.'));
		const entryOf = fc.constantFrom(
			(text: string): unknown => text,
			(text: string) => ({ name: text, description: 'Some words' }),
			(text: string) => ({ id: 'b7f3', label: 'Call', slug: text }),
			(text: string) => ({ zorp: text, name: 'A label' }),
			(text: string) => ({ node: { type: text } }),
		);
		fc.assert(
			fc.property(
				fc
					.tuple(fc.uniqueArray(name, { minLength: 1, maxLength: 6 }), entryOf)
					.chain(([names, form]) => fc.tuple(fc.constant(names), nested(names.map(form)))),
				([names, body]) => {
					const types = readEventTypes(entriesIn(body, 'eventTypes') ?? []);
					expect(types.map((type) => type.name)).toEqual(names);
				},
			),
		);
	});
});
