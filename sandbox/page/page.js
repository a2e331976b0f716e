/* global FormData, document, setTimeout */

// The sandbox's page: shows the server's state twice a second, and sends the requests of the forms.

import { send } from './server.js';

const pauseMs = 500;

const byId = (id) => document.getElementById(id);

// --- Showing a state. Elements are kept by id, so that focus and opened details stay.

function show({ catalog, endpoints, attempts, editorUrl }) {
	showEventTypes(catalog);
	byId('editor').hidden = !editorUrl;
	byId('editor').querySelector('a').href = editorUrl ?? '';
	const urlOf = new Map(endpoints.map(({ id, url }) => [id, url]));

	showRows('endpoints', 'endpoint-row', endpoints, (row, { url, events }) => {
		fill(row, { url, events: events ? events.join(', ') : 'every event' });
	});

	const deliveries = groupByDelivery(attempts);
	showRows('deliveries', 'delivery-row', deliveries, (row, { id, attempts }) => {
		const newest = attempts.at(-1);
		const { text, state } = outcomeOf(newest);
		const type = newest.event_type ?? 'Sample without a type';
		const time = clock(newest.attempted_at);
		const endpoint = urlOf.get(newest.endpoint_id);
		fill(row, {
			type,
			outcome: text,
			time,
			endpoint: endpoint ?? 'an endpoint that was removed',
			body: inLines(newest.body),
			headers: Object.entries(newest.headers)
				.map(([name, value]) => `${name}: ${value}`)
				.join('\n'),
		});
		field(row, 'outcome').dataset.state = state;
		const button = row.querySelector('button');
		button.hidden = !endpoint;
		button.setAttribute('aria-label', `Deliver again: ${type}, ${time}`);
		button.onclick = () => deliverAgain(id);
		reconcile(row.querySelector('.attempts'), 'attempt-row', attempts, (line, attempt) => {
			line.value = attempt.attempt;
			fill(line, {
				time: clock(attempt.attempted_at),
				answer: answerOf(attempt),
				took: attempt.duration_ms === null ? '' : `after ${attempt.duration_ms} ms`,
			});
		});
	});
	announce(attempts[0]);
}

function showRows(listId, templateId, items, fillRow) {
	const list = byId(listId);
	reconcile(list, templateId, items, fillRow);
	const empty = list.parentElement.querySelector('.empty');
	if (empty) empty.hidden = items.length > 0;
}

/** Gives a parent one child for each item, in the order of the items. Moves as few children as possible. */
function reconcile(parent, templateId, items, fillRow) {
	const known = new Map([...parent.children].map((child) => [child.dataset.id, child]));
	items.forEach((item, index) => {
		const row = known.get(item.id) ?? copyOf(templateId);
		known.delete(item.id);
		row.dataset.id = item.id;
		fillRow(row, item);
		if (parent.children[index] !== row) parent.insertBefore(row, parent.children[index] ?? null);
	});
	for (const row of known.values()) row.remove();
}

const copyOf = (templateId) => byId(templateId).content.firstElementChild.cloneNode(true);
const field = (row, name) => row.querySelector(`[data-field="${name}"]`);

function fill(row, texts) {
	for (const [name, text] of Object.entries(texts)) {
		const element = field(row, name);
		// An unchanged text is not written again, because someone may be selecting it.
		if (element.textContent !== text) element.textContent = text;
	}
}

function showEventTypes(catalog) {
	const types = byId('simulate').elements.type;
	if (types.options.length > 0) return;
	for (const { type, description } of catalog) {
		const option = document.createElement('option');
		option.textContent = option.value = type;
		option.dataset.description = description;
		types.append(option);
	}
	if (catalog.some(({ type }) => type === 'call.completed')) types.value = 'call.completed';
	showForm();
}

/** Groups attempts by delivery. The newest delivery is first, and the first attempt within a delivery. */
function groupByDelivery(attempts) {
	const groups = Map.groupBy(attempts.toReversed(), ({ delivery_id }) => delivery_id);
	return [...groups].map(([id, attempts]) => ({ id, attempts })).reverse();
}

function outcomeOf({ status, attempt, response_status, next_attempt_at }) {
	const tries = attempt === 1 ? '' : ` (attempt ${attempt})`;
	if (status === 'pending') return { text: `Being delivered${tries}`, state: 'waiting' };
	if (status === 'delivered') {
		return { text: `Delivered, ${response_status}${tries}`, state: 'good' };
	}
	const answer = response_status ?? 'no answer';
	return next_attempt_at
		? { text: `Failed, ${answer}${tries}; next at ${clock(next_attempt_at)}`, state: 'waiting' }
		: { text: `Failed, ${answer}${tries}`, state: 'bad' };
}

function answerOf({ status, response_status, response_body, error }) {
	if (status === 'pending') return '…';
	return error ?? `${response_status} ${response_body}`;
}

const inLines = (json) => JSON.stringify(JSON.parse(json), null, 2);

const clock = (iso) => new Date(iso).toLocaleTimeString();

let announced;

/** Shows a new attempt in the live region, once. Attempts from before the page was opened are not announced. */
function announce(newest) {
	const key = `${newest?.id} ${newest?.status}`;
	if (newest && announced !== undefined && announced !== key) {
		showNews(`${newest.event_type ?? 'The sample'}: ${outcomeOf(newest).text}`);
	}
	announced = key;
}

function showNews(text) {
	byId('news').textContent = text;
}

// --- The forms.

function showForm() {
	const { type } = byId('simulate').elements;
	const [option] = type.selectedOptions;
	byId('type-description').textContent = option?.dataset.description ?? '';
	byId('details').hidden = !type.value.startsWith('call.');
	const kind = byId('simulate').elements.kind.value;
	showField('name', kind !== 'withheld');
	showField('email', kind !== 'withheld');
	showField('phone', kind !== 'withheld' && kind !== 'web');
}

/** A field that is not shown is not sent either. */
function showField(name, isShown) {
	const element = byId('simulate').elements[name];
	element.disabled = !isShown;
	element.closest('label').hidden = !isShown;
}

byId('simulate').addEventListener('change', showForm);

byId('simulate').addEventListener('submit', (event) => {
	event.preventDefault();
	const { type, kind, name, phone, email, ...call } = Object.fromEntries(
		new FormData(event.target),
	);
	const details = {
		kind,
		// An empty field is unknown.
		customer: { name: name || undefined, phone: phone || undefined, email: email || undefined },
		outcome: call.outcome,
		summary: call.summary,
		duration_seconds: Number(call.duration_seconds),
	};
	showErrors(async () => {
		const { deliveries } = await send('POST', '/sandbox/events', { type, ...details });
		showNews(
			deliveries.length === 0
				? `${type} happened, but no endpoint is subscribed to it.`
				: `${type} happened; deliveries started: ${deliveries.length}.`,
		);
	});
});

function deliverAgain(id) {
	showErrors(() => send('POST', `/sandbox/deliveries/${id}/again`));
}

/** Runs an action, and shows its error. */
async function showErrors(action) {
	try {
		showNews('');
		await action();
	} catch (error) {
		showNews(error.message);
	}
}

function showConnection(isConnected) {
	const line = byId('connection');
	const text = isConnected ? 'Connected' : 'Not connected; trying again';
	if (line.textContent !== text) line.textContent = text;
	line.dataset.state = isConnected ? 'good' : 'bad';
}

for (;;) {
	try {
		show(await send('GET', '/sandbox/state'));
		showConnection(true);
	} catch {
		showConnection(false);
	}
	await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
