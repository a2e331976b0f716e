import { readNextPage } from '../../nodes/VoiceAgent/transport/paging';

const PAGE = 'https://api.example.com/v1/webhooks?page=2';
const after = (body: unknown, headers = {}, count = 20) => readNextPage(body, headers, count);

test.each([
	[{ next: PAGE }, { page: '2' }],
	[{ next: 'http://inside.example/webhooks?page=2&size=5' }, { page: '2', size: '5' }],
	[{ next: '/v1/webhooks?page=2' }, { page: '2' }],
	[{ next: '?page=2' }, { page: '2' }],
	[{ next_url: PAGE }, { page: '2' }],
	[{ next_page: PAGE }, { page: '2' }],
	[{ links: { next: PAGE } }, { page: '2' }],
	[{ links: { next: { href: PAGE } } }, { page: '2' }],
	[{ _links: { next: { href: PAGE } } }, { page: '2' }],
	[{ meta: { next_page_url: PAGE } }, { page: '2' }],
	[{ next_cursor: 'abc' }, { cursor: 'abc' }],
	[{ pagination: { nextCursor: 'abc' } }, { cursor: 'abc' }],
	[{ metadata: { next_cursor: 'abc' } }, { cursor: 'abc' }],
	[{ paging: { cursors: { after: 'abc' } } }, { after: 'abc' }],
	[{ next_page_token: '/+a' }, { page_token: '/+a' }],
	[{ nextPageToken: 'abc' }, { pageToken: 'abc' }],
	[{ nextToken: 'abc' }, { nextToken: 'abc' }],
	[{ next_page: 2 }, { page: '2' }],
	[{ page: 1, total_pages: 2 }, { page: '2' }],
	[{ meta: { current_page: 1, last_page: 2 } }, { page: '2' }],
	[{ pagination: { currentPage: 1, totalPages: 2 } }, { page: '2' }],
	[{ meta: { pagination: { page: 1, pages: 2 } } }, { page: '2' }],
	[{ page: 1, per_page: 20, total: 21 }, { page: '2' }],
	[
		{ offset: 0, limit: 20, total: 21 },
		{ offset: '20', limit: '20' },
	],
	[{ data: { items: [], nextCursor: 'abc' } }, { cursor: 'abc' }],
	[{ has_more: true, next_cursor: 'abc' }, { cursor: 'abc' }],
	[{ total: 25, pagination: { next_cursor: 'abc' } }, { cursor: 'abc' }],
	[{ has_more: true, links: { next: PAGE } }, { page: '2' }],
	[{ total_count: 25, meta: { page: 1, total_pages: 3 } }, { page: '2' }],
	[{ page: 0, per_page: 20, total: 21 }, { page: '1' }],
])('of %j', (body, query) => expect(after(body)).toEqual(query));

test.each([
	{ has_more: true },
	{ meta: { hasMore: true } },
	{ pageInfo: { hasNextPage: true, endCursor: 'abc' } },
	{ next: 'an opaque cursor, for who knows what parameter' },
	{ next: 'https://api.example.com/v1/webhooks/pages/2' },
	{ total: 21 },
	{ page: 1, total: 21 },
])('is somewhere: %j', (body) => expect(after(body)).toBe('unknown'));

test.each([
	[undefined],
	[null],
	['next'],
	[[]],
	[{}],
	[{ next: null, next_cursor: null }],
	[{ next: '', next_cursor: '' }],
	[{ has_more: false }],
	[{ has_more: false, next_cursor: 'the last one read' }],
	[{ pageInfo: { hasNextPage: false, endCursor: 'abc' } }],
	[{ page: 2, total_pages: 2 }],
	[{ page: '1', total_pages: '2' }],
	[{ page: 1, per_page: 20, total: 20 }],
	[{ page: 0, per_page: 50, total: 20 }],
	[{ page: 0, total_pages: 1, total: 20 }],
	[{ offset: 20, limit: 20, total: 40 }],
	[{ next_cursor: null, total: 20 }],
	[{ pagination: [] }],
])('is none after %j', (body) => expect(after(body)).toBeUndefined());

test.each([
	`<${PAGE}>; rel="next"`,
	`<https://a.example>; rel="prev", <${PAGE}>; rel=next`,
	`<${PAGE}>; title="x"; rel="next", <https://a.example>; rel="last"`,
])('of the header Link: %s', (link) => expect(after([], { link })).toEqual({ page: '2' }));

test.each(['', `<${PAGE}>; rel="prev"`, 'next', [PAGE]])('is not in the header Link: %s', (link) =>
	expect(after([], { link })).toBeUndefined(),
);
