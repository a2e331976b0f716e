/* global FormData, document, navigator, window */

// The sandbox's page: shows the states that the server streams, and sends the requests of the forms.

import { readStates, send } from './server.js';

const byId = (id) => document.getElementById(id);

// --- Showing a state. Elements are kept by id, so that focus and opened details stay.

function show({ catalog, scopes, endpoints, attempts, keys, editorUrl }) {
	showChoices(catalog, scopes);
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

	showRows('keys', 'key-row', keys, (row, { id, name, prefix, scopes }) => {
		fill(row, { name, prefix: `${prefix}…`, scopes: scopes.join(', ') });
		const button = row.querySelector('button');
		button.setAttribute('aria-label', `Revoke ${name}`);
		button.onclick = () => revokeKey(id, name);
	});
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

function showChoices(catalog, scopes) {
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
	reconcile(
		byId('scopes'),
		'scope-choice',
		scopes.map((id) => ({ id })),
		(row, { id }) => {
			fill(row, { scope: id });
			row.querySelector('input').value = id;
		},
	);
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
		showText('news', `${newest.event_type ?? 'The sample'}: ${outcomeOf(newest).text}`);
	}
	announced = key;
}

function showText(lineId, text) {
	byId(lineId).textContent = text;
}

// --- The forms.

function showForm() {
	const { type } = byId('simulate').elements;
	const [option] = type.selectedOptions;
	byId('type-description').textContent = option?.dataset.description ?? '';
	const isCall = type.value.startsWith('call.');
	byId('details').hidden = !isCall && !type.value.startsWith('chat.');
	showField('kind', isCall);
	const kind = isCall ? byId('simulate').elements.kind.value : undefined;
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
	showErrors('news', async () => {
		const { deliveries } = await send('POST', '/sandbox/events', { type, ...details });
		showText(
			'news',
			deliveries.length === 0
				? `${type} happened, but no endpoint is subscribed to it.`
				: `${type} happened; deliveries started: ${deliveries.length}.`,
		);
	});
});

function deliverAgain(id) {
	showErrors('delivery-news', () => send('POST', `/sandbox/deliveries/${id}/again`));
}

byId('create-key').addEventListener('submit', (event) => {
	event.preventDefault();
	const form = event.target;
	const chosen = new FormData(form).getAll('scope');
	showErrors('key-news', async () => {
		const { key } = await send('POST', '/sandbox/keys', {
			name: form.elements.name.value,
			scopes: chosen.length > 0 ? chosen : undefined,
		});
		byId('new-key').querySelector('code').textContent = key;
		byId('new-key').hidden = false;
		form.reset();
		form.parentElement.open = false;
		byId('copy-key').focus();
	});
});

byId('copy-key').addEventListener('click', () =>
	showErrors('key-news', () =>
		navigator.clipboard.writeText(byId('new-key').querySelector('code').textContent),
	),
);

byId('dismiss-key').addEventListener('click', () => {
	byId('new-key').querySelector('code').textContent = '';
	byId('new-key').hidden = true;
	focusOnKeyCreation();
});

// Moves the focus from a button that is about to disappear.
function focusOnKeyCreation() {
	byId('create-key').parentElement.querySelector('summary').focus();
}

function revokeKey(id, name) {
	if (!window.confirm(`Revoke the key “${name}”? It stops working at once.`)) return;
	showErrors('key-news', async () => {
		await send('DELETE', `/sandbox/keys/${id}`);
		showText('key-news', `The key “${name}” is revoked.`);
		focusOnKeyCreation();
	});
}

/** Runs an action, and shows its error on a line of the page. */
async function showErrors(lineId, action) {
	try {
		showText(lineId, '');
		await action();
	} catch (error) {
		showText(lineId, error.message);
	}
}

function showConnection(isConnected) {
	const line = byId('connection');
	const text = isConnected ? 'Connected' : 'Not connected; trying again';
	if (line.textContent !== text) line.textContent = text;
	line.dataset.state = isConnected ? 'good' : 'bad';
}

void readStates(show, showConnection);
