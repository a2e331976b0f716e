import type { IDataObject } from 'n8n-workflow';
import type { ReceivedRequest, Routes } from '../others/standIn';
import { before, type Crm } from './crm';

/** The rows of a sheet; `null` is a cell that was never written. */
type Cells = Array<Array<string | number | boolean | null>>;

/**
 * The parts of Google Sheets that the example uses:
 * https://developers.google.com/workspace/sheets/api/reference/rest
 *
 * A null skips a cell, and empty rows at the end are left out:
 * https://hexdocs.pm/google_api_sheets/GoogleApi.Sheets.V4.Model.ValueRange.html
 */
export function googleSheets(): Crm & { rows: (sheet: string) => IDataObject[] } {
	const sheets: Record<string, Cells> = {};
	const names = ['Call log', 'Customers', 'Calls to assign'];
	/** The columns, and their names in other tables. */
	const columns = {
		...{ customer_phone: 'phone', customer_name: 'name', customer_email: 'email' },
		...{ call_id: 'last_call_id', started_at: 'last_call_at', notes: 'notes' },
		...{ outcome: 'last_outcome', summary: 'last_summary' },
	};
	/** Rows as objects, with their numbers. */
	const rowsOf = (name: string) => {
		const [header = [], ...rows] = sheets[name] ?? [];
		return rows.map((row, index) => ({
			row: index + 2,
			...Object.fromEntries(header.map((column, at) => [String(column), row[at] ?? null])),
		})) as Array<{ row: number } & Record<string, unknown>>;
	};
	const rangeOf = ({ params }: ReceivedRequest) => {
		const [, name = '', column, row] =
			/^'?([^'!]+)'?(?:!([A-Z]*)(\d*)(?::.*)?)?$/.exec(params.range ?? '') ?? [];
		return { name, column: column ?? '', row: Number(row || 1) };
	};
	const write = (name: string, row: number, column: string, values: Cells) => {
		const at = column ? column.charCodeAt(0) - 65 : 0;
		const cells = (sheets[name] ??= []);
		values.forEach((line, down) => {
			const target = (cells[row - 1 + down] ??= []);
			line.forEach((value, across) => {
				if (value !== null) target[at + across] = value;
			});
		});
	};
	const token = { access_token: 'token-of-the-test', expires_in: 3600, token_type: 'Bearer' };
	const routes: Routes = {
		'GET /v4/spreadsheets/:id': () => ({
			sheets: names.map((title, sheetId) => ({
				properties: { title, sheetId, sheetType: 'GRID' },
			})),
		}),
		'GET /v4/spreadsheets/:id/values/:range': (request) => {
			const { name, row } = rangeOf(request);
			const end = /!(\d+):(\d+)$/.exec(request.params.range ?? '')?.[2];
			const values = (sheets[name] ?? [])
				.slice(row - 1, end ? Number(end) : undefined)
				.map((line) => Array.from(line, (value) => value ?? ''));
			// An empty range has no `values`.
			return { majorDimension: 'ROWS', ...(values.length > 0 && { values }) };
		},
		'PUT /v4/spreadsheets/:id/values/:range': (request) => {
			const { name, column, row } = rangeOf(request);
			write(name, row, column, (request.body as { values: Cells }).values);
			return {};
		},
		'POST /v4/spreadsheets/:id/values/:range': (request) => {
			// The paths end with `:append`, which is not a parameter.
			const { name } = rangeOf({
				...request,
				params: { range: (request.params.range ?? '').replace(/:append$/, '') },
			});
			write(name, (sheets[name]?.length ?? 0) + 1, '', (request.body as { values: Cells }).values);
			return {};
		},
		'POST /v4/spreadsheets/:id/values::batchUpdate': ({ body }) => {
			for (const { range, values } of (body as { data: Array<{ range: string; values: Cells }> })
				.data) {
				const [, name = '', column = '', row] = /^(.+)!([A-Z]+)(\d+)$/.exec(range) ?? [];
				write(name, Number(row), column, values);
			}
			return {};
		},
	};
	return {
		reset(people) {
			sheets['Call log'] = [];
			sheets['Calls to assign'] = [
				['reason', 'date', 'customer_name', 'customer_phone', 'outcome', 'summary', 'call_id'],
			];
			const rows = people.map((person) => ({ ...person, ...before, notes: 'Our own' }));
			sheets.Customers = [
				Object.keys(columns),
				...rows.map((row) => Object.values(columns).map((name) => row[name as 'phone'] ?? null)),
			];
		},
		people: () => {
			const named = (row: object) =>
				Object.entries(row).map(([column, cell]) => [columns[column as 'notes'], cell as string]);
			return Object.fromEntries(
				rowsOf('Customers').map(({ row, ...rest }) => [
					row,
					Object.fromEntries(named(rest)) as object,
				]),
			);
		},
		asked: () => rowsOf('Calls to assign'),
		rows: (sheet) => rowsOf(sheet) as object[] as IDataObject[],
		hosts: {
			'oauth2.googleapis.com': { 'POST /token': () => token },
			'sheets.googleapis.com': routes,
		},
	};
}
