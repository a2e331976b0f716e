import { readNext, type Progress } from '../../nodes/VoiceAgent/lists/paging';
import { processorTimeFor } from '../support/time/processorTime';

const ADDRESS = 'https://api.example.com/v1/webhooks?page=2';
const after = (around: object, headers = {}, progress: Partial<Progress> = {}) =>
	readNext([around], headers, {
		...{ query: {}, length: 7, count: 7, pages: 1 },
		...progress,
	});
/** The next page that the service states. */
const stated = (...of: Parameters<typeof after>) => {
	const [way] = after(...of);
	return way?.isStated ? way.query : undefined;
};

test.each([
	[{ next: ADDRESS }, { page: '2' }],
	[{ next: 'http://inside.example/webhooks?page=2&size=5' }, { page: '2', size: '5' }],
	[{ next: 'webhooks?page=2' }, { page: '2' }],
	[{ '@odata.nextLink': ADDRESS }, { page: '2' }],
	[{ _links: { next: { href: ADDRESS } } }, { page: '2' }],
	[
		{
			links: [
				{ rel: 'prev', href: '/' },
				{ rel: 'next', href: ADDRESS },
			],
		},
		{ page: '2' },
	],
	[{ next_cursor: 'abc' }, { cursor: 'abc' }],
	[{ cursor: { next: 'abc', prev: 'xyz' } }, { cursor: 'abc' }],
	[{ response_metadata: { next_cursor: 'abc' } }, { cursor: 'abc' }],
	[{ result_info: { cursors: { after: 'abc' } }, has_more: true }, { after: 'abc' }],
	[{ paging: { next: { after: 'abc' } } }, { after: 'abc' }],
	[{ pagination: { next: { page: 2, limit: 7 } } }, { page: '2', limit: '7' }],
	[{ page_metadata: { next_cursor: 'abc' } }, { cursor: 'abc' }],
	[{ pageInfo: { hasNextPage: true, endCursor: 'abc' } }, { cursor: 'abc' }],
	[{ next_page_token: '/+a' }, { page_token: '/+a' }],
	[{ nextPageToken: 'abc' }, { pageToken: 'abc' }],
	[{ meta: { current_page: 1, last_page: 2 } }, { page: '2' }],
	[{ number: 0, last: false, totalElements: 8 }, { page: '1' }],
	[{ page: 1, per_page: 7, total: '8' }, { page: '2' }],
	[{ offset: 0, limit: 7, total: 8 }, { offset: '7' }],
	[{ startIndex: 1, totalResults: 8 }, { startIndex: '8' }],
])('a page states the next page of %j', (body, query) => expect(stated(body)).toEqual(query));

test.each([
	[{ link: `<https://a.example>; rel="prev", <${ADDRESS}>; title="x"; rel=next` }],
	[{ 'x-next-page': '2' }],
	[{ 'x-page': '1', 'x-total-pages': '2' }],
])('a page states the next page of the headers %j', (headers) =>
	expect(stated([], headers)).toEqual({ page: '2' }),
);

test.each<[object, object]>([
	[{ has_more: true }, {}],
	[{ is_truncated: true }, {}],
	[{ page: { isLastPage: 'false' } }, {}],
	[{ totalItems: '8' }, {}],
	[[], { 'x-total-count': '8' }],
	[[], { 'content-range': 'items 0-6/8' }],
])('more pages follow %j %j, and the usual parameters are tried', (body, headers) => {
	const queries = after(body, headers, { lastId: 'id7' }).map(({ query }) => query);
	const usual = [{ starting_after: 'id7' }, { after: 'id7' }, { page: '2' }, { offset: '7' }];
	expect(queries).toEqual(expect.arrayContaining(usual));
});

test('the parameter of the last page is tried first', () => {
	const ways = (query: Record<string, string>, body: object = { has_more: true }) =>
		after(body, {}, { query, count: 14, lastId: 'id14' })[0]?.query;
	expect(ways({ page: '2' })).toEqual({ page: '3' });
	expect(ways({ offset: '7' })).toEqual({ offset: '14' });
	expect(ways({ starting_after: 'id7' })).toEqual({ starting_after: 'id14' });
	expect(ways({ after: 'abc' }, { next: 'xyz' })).toEqual({ after: 'xyz' });
});

// Promise: Where nothing states a next page, none is requested.
test.each([
	[{ limits: { total: 100 } }, 20],
	[{ next_cursor: null }, 20],
	[{ total: 20 }, 20],
])('a list with %j and %i entries is complete', (body, length) =>
	expect(after(body, {}, { length, count: length })).toEqual([]),
);

test.each([
	[{ next: '', next_cursor: 0, next_page: -1, end_cursor: 'None' }],
	[{ has_more: false, next_cursor: 'the last one read' }],
	[{ links: { next: { href: null, method: 'GET' } } }],
	[{ pageInfo: { hasNextPage: 'false', endCursor: 'abc' } }],
	[{ last: true, number: 1, cursor: 'abc' }],
	[{ page: 0, per_page: 50, total: 7 }],
	[{ prev_cursor: 'abc', first: ADDRESS, self: ADDRESS, limit: 50 }],
	[{ next_sync_token: 'abc', next_poll_url: 'https://api.example.com/v1/poll' }],
	[{ meta: { quota: { total_count: 100 } } }],
	[{ next_attempt_at: '2026-01-02T03:04:05Z', nextBillingDate: 'soon' }],
])('no page follows %j', (body) => expect(after(body)).toEqual([]));

test('no page follows one that repeats its own cursor', () => {
	const query = { cursor: 'abc' };
	expect(after({ ...query, next_cursor: null }, {}, { query })).toEqual([]);
	expect(after({ end_cursor: 'abc' }, {}, { query })).toEqual([]);
});

test.each(['', `<${ADDRESS}>; rel="prev"`, 'next', [ADDRESS]])(
	'no page follows the header Link: %s',
	(link) => expect(after([], { link })).toEqual([]),
);

test('no page follows the headers of Next.js', () =>
	expect(after([], { 'x-nextjs-cache': 'HIT', 'x-nextjs-stale-time': '300' })).toEqual([]));

test('a hostile header is read within a second', () => {
	const ms = processorTimeFor(() => {
		for (const part of ['<', '<a>;', '; ', '/1']) {
			after([], { link: part.repeat(100_000), 'content-range': part.repeat(100_000) });
		}
	});
	expect(ms).toBeLessThan(1_000);
});
