import type { IDataObject } from 'n8n-workflow';
import type { Table } from '../n8n/dataTables';
import { before, type Crm } from './crm';

/** The data table of customers, and that of the calls to assign. */
export function customerTable(customers: Table, unassigned: Table): Crm {
	const columns = ['phone', 'name', 'email', 'last_call_id', 'last_call_at'];
	columns.push('last_outcome', 'last_summary');
	const people = async () => {
		const rows = await customers.rows();
		const shown = (row: IDataObject) => columns.map((column) => [column, row[column]]);
		return Object.fromEntries(
			rows.map((row) => [row.id as number, Object.fromEntries(shown(row)) as IDataObject]),
		);
	};
	return {
		hosts: {},
		async reset(known) {
			await customers.clear();
			await unassigned.clear();
			const row = { phone: null, email: null, ...before };
			await customers.insert(known.map((person) => ({ ...row, ...person })));
		},
		people,
		asked: async () => await unassigned.rows(),
	};
}
