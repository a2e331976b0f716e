import { isHtml, readErrorMessage, reportsFailure } from '../../nodes/VoiceAgent/service/errors';
import { excerptOf } from '../../nodes/VoiceAgent/text/words';
import { processorTimeFor } from '../support/time/processorTime';

test.each([
	['{"message": "No"}', 'No'],
	['{"error": {"code": "x", "message": "No"}}', 'No'],
	['{"title": "No", "status": 404}', 'No'],
	['{"errors": [{"message": "No"}, {"message": "Never"}]}', 'No – Never'],
	['{"message": "Not valid", "errors": {"url": ["Must be HTTPS"]}}', 'Not valid – Must be HTTPS'],
	['{"message": "No", "errors": ["E1001"]}', 'No – E1001'],
	['{"detail": [{"loc": ["url"], "message": "No"}]}', 'No'],
	['No', 'No'],
	['', ''],
	['<!doctype html><title>Bad\n gateway</title><h1>Oh', 'Bad gateway'],
	['<html><h1>Oh</h1>', '<html><h1>Oh</h1>'],
	['{"error": 42}', '{"error": 42}'],
	['{"__proto__": {"message": "No"}}', '{"__proto__": {"message": "No"}}'],
	['{"message": "cu', '{"message": "cu'],
])('the message of an error %s', (text, message) => expect(readErrorMessage(text)).toBe(message));

test('the message of an error is found in a deeply nested answer', () => {
	const depth = 50_000;
	expect(readErrorMessage(`${'['.repeat(depth)}"No"${']'.repeat(depth)}`)).toMatch(/^\[+…$/);
});

test('a text that begins like a web page is a web page', () => {
	expect(['<!DOCTYPE html>', '\n <html lang="en">', '<HEAD>', '<body>'].every(isHtml)).toBe(true);
	expect(['<?xml version="1.0"?>\n<!DOCTYPE html>', '<!-- Hi --><html>'].every(isHtml)).toBe(true);
	expect(['', '{}', '"<html>"', '<?xml?>', 'a <html>'].some(isHtml)).toBe(false);
});

test('an error shows the beginning of a text, on one line', () => {
	expect(excerptOf(' a\n\t b ')).toBe('a b');
	expect(excerptOf('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
});

test.each<[unknown, boolean]>([
	[{ ok: false }, true],
	[{ error: 'No' }, true],
	[{ data: [], errors: [{ message: 'No' }] }, true],
	[{ success: 'false', message: 'No' }, true],
	[{ status: 'error', message: 'No' }, true],
	[{ result: 'Failure', detail: 'No' }, true],
	[{ code: 401, message: 'No', data: null }, true],
	[{ statusCode: '500', message: 'No' }, true],
	[{ code: 0, status: 200, data: [] }, false],
	[undefined, false],
	['error', false],
	[[{ error: 'No' }], false],
	[{ id: 'wh_1', status: 'failed' }, false],
	[{ status: 'failing', result: { status: 'error' } }, false],
	[{ ok: true, error: null, errors: [] }, false],
	[{ error: '', errors: {} }, false],
	[{ data: { ok: false, error: 'of a delivery' } }, false],
])('the body of a success %j reports a failure: %p', (body, isFailure) =>
	expect(reportsFailure(body)).toBe(isFailure),
);

test('the answer to a removal reports that nothing was removed', () => {
	const answers = [{ revoked: false }, { deleted: true }, { id: 'k1', revoked: false }, {}];
	expect(answers.map((body) => reportsFailure(body, true))).toEqual([true, false, false, false]);
});

test('a page without the end of its title is read in linear time', () => {
	const page = `<html>${'<title'.repeat(200_000)}`;
	expect(processorTimeFor(() => void readErrorMessage(page))).toBeLessThan(1_000);
});
