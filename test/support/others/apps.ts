/** Stand-ins for the apps of the starters, which keep what they are sent. */
import type { IDataObject } from 'n8n-workflow';
import { sheets } from '../running/recordingExamples';
import type { Answer, Routes } from './standIn';

/** The rows of the Airtable table, by `call_id`, and its fields, which its user has made. */
const airtable = new Map<unknown, IDataObject>();
const AIRTABLE_FIELDS = [
	...['date', 'customer_name', 'customer_phone', 'outcome', 'summary', 'duration_minutes'],
	...['customer_email', 'collected', 'recording_url', 'test', 'call_id'],
];
/** The IDs of the calls of Notion's pages. */
const pages = new Set<string>();
/** The texts of messages, tasks, events and pages. */
const texts: string[] = [];
/** Whether Slack accepts messages; otherwise it responds with 503. */
export const slack = { isUp: true };

const keep = (text: unknown) => {
	texts.push(typeof text === 'string' ? text : JSON.stringify(text));
	return {};
};
const keepEmail: Answer = ({ body }) => {
	const message = Buffer.from((body as { raw: string }).raw, 'base64url').toString();
	return keep(message.replace(/=\r\n/g, '').replace(/=3D/g, '='));
};
/**
 * https://airtable.com/developers/web/api/update-multiple-records. Errors have a status and a type:
 * https://support.airtable.com/docs/en/airtable-api-common-troubleshooting
 */
const upsert: Answer = ({ body }, reply) => {
	const { records } = body as { records: Array<{ fields: IDataObject }> };
	for (const { fields } of records) {
		const unknown = Object.keys(fields).filter((name) => !AIRTABLE_FIELDS.includes(name));
		if (unknown.length > 0) {
			void reply.code(422);
			return {
				error: { type: 'UNKNOWN_FIELD_NAME', message: `Unknown field name: ${unknown.join()}` },
			};
		}
		airtable.set(fields.call_id, { ...airtable.get(fields.call_id), ...fields });
	}
	return { records };
};
/** The IDs of the calendar's events: https://developers.google.com/workspace/calendar/api/v3/reference/events/insert */
const events = new Set<unknown>();
const insertEvent: Answer = ({ body }, reply) => {
	const { id } = body as { id: string };
	const isTaken = events.has(id);
	if (!isTaken && /^[a-v0-9]{5,1024}$/.test(id)) return { ...keep(body), id: events.add(id) && id };
	// https://developers.google.com/workspace/calendar/api/guides/errors
	void reply.code(isTaken ? 409 : 400);
	const message = isTaken
		? 'The requested identifier already exists.'
		: 'Invalid resource id value.';
	return { error: { code: isTaken ? 409 : 400, message } };
};
const callId = (id: string) => ({
	'Call ID': { id: 'b', type: 'rich_text', rich_text: [{ type: 'text', plain_text: id }] },
	Name: { id: 'title', type: 'title', title: [] },
});
// https://developers.notion.com/reference/post-database-query
const findPage: Answer = ({ body }) => {
	const { filter } = body as { filter: { and: Array<{ text: { equals: string } }> } };
	const id = filter.and[0]?.text.equals ?? '';
	const found = pages.has(id) ? [{ object: 'page', id, properties: callId(id) }] : [];
	return { object: 'list', results: found, has_more: false };
};
const createPage: Answer = ({ body }) => {
	const { properties, children } = body as { properties: IDataObject; children: object };
	const [, id = ''] = /"Call ID":.*?"content":"(.*?)"/.exec(JSON.stringify(properties)) ?? [];
	if (id) pages.add(id);
	keep({ properties, children });
	return { object: 'page', id, properties: callId(id) };
};

export const appHosts: Record<string, Routes> = {
	...sheets.hosts,
	'www.googleapis.com': {
		'POST /gmail/v1/users/me/messages/send': keepEmail,
		'POST /calendar/v3/calendars/:id/events': insertEvent,
	},
	// https://api.slack.com/methods/chat.postMessage
	'slack.com': {
		'POST /api/chat.postMessage': ({ body }, reply) => {
			if (slack.isUp) return { ...keep((body as IDataObject).text), ok: true };
			void reply.code(503);
			return {};
		},
	},
	'api.telegram.org': {
		'GET /:bot/getMe': () => ({ ok: true, result: {} }),
		'POST /:bot/sendMessage': ({ body }) => ({ ...keep((body as IDataObject).text), ok: true }),
	},
	'api.todoist.com': { 'POST /api/v1/tasks': ({ body }) => keep(body) },
	'api.airtable.com': { 'PATCH /v0/:base/:table': upsert },
	'api.notion.com': {
		'GET /v1/databases/:id': () => ({ object: 'database', properties: callId('') }),
		'POST /v1/databases/:id/query': findPage,
		'POST /v1/pages': createPage,
	},
};

/** @returns the texts that the apps were sent since the last call, in their order */
export const takeTexts = () => texts.splice(0);
export const airtableRows = () => [...airtable.values()];
