import type { IDataObject } from 'n8n-workflow';
import type { CrmRecord } from '../support/crms/crm';
import type { Email } from '../support/others/mailbox';
import { read } from '../support/documents';

/** Escapes a text for HTML. */
const show = (text?: string | null) => text?.replaceAll('&', '&amp;').replaceAll('<', '&lt;') ?? '';

/** A page of stand-ins, with the style of the pictures. */
export const pageOf = (content: string, kind = '') =>
	`<style>${read('test/browser/results.css')}</style><body class="${kind}">${content}`;

/** The first columns of a sheet, with the letters and numbers around them. */
export function sheetOf(rows: IDataObject[], columns: string[]): string {
	const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] as string))];
	const letters = columns.map((_column, index) => `<th>${String.fromCharCode(65 + index)}</th>`);
	const cells = lines.map((line, index) => {
		return `<tr><th>${index + 1}</th>${line.map((cell) => `<td>${show(cell)}</td>`).join('')}</tr>`;
	});
	return `<section class="sheet"><table><tr><th></th>${letters.join('')}</tr>${cells.join('')}</table></section>`;
}

/** An e-mail as it arrived. */
export const emailOf = ({ from, to, subject, text }: Email) =>
	`<section class="email"><header><b>${show(subject)}</b><br>
		<small>From ${show(from)} to ${show(to)}</small></header><p>${show(text)}</p></section>`;

/** What a CRM shows of a contact: the tasks that name it, and its calls. Their texts are HTML. */
export function timelineOf(name: string, phone: string, records: CrmRecord[]): string {
	const entries = records.map(({ title, text, whose, more = {} }) => {
		const call = more as Record<string, string>;
		const seconds = Number(call.hs_call_duration) / 1000;
		const about = whose
			? 'Open task'
			: `Call · ${call.hs_call_direction?.toLowerCase()} · from ${call.hs_call_from_number} · ${seconds} seconds`;
		return `<div class="entry${whose ? ' task' : ''}"><small>${show(about)}</small>
			<br><b>${show(title)}</b><p>${text}</p></div>`;
	});
	return `<section class="timeline"><header><b>${show(name)}</b><br><small>Contact · ${show(phone)}</small>
		</header>${entries.reverse().join('')}</section>`;
}
