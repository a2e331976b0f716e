import type { Table } from '../dataTables';
import { before, type Crm } from './crm';

/** The data table of customers. */
export function customerTable(customers: Table): Crm {
	const people = async () => {
		const rows = await customers.rows();
		return Object.fromEntries(
			rows.map(({ id, createdAt: _created, updatedAt: _updated, ...row }) => [String(id), row]),
		);
	};
	return {
		hosts: {},
		async know(known) {
			await customers.clear();
			const row = { phone: null, email: null, ...before };
			await customers.insert(known.map((person) => ({ ...row, ...person })));
		},
		people,
		async logged() {
			const called = Object.entries(await people()).filter(([, row]) => row.last_call_id);
			return called.map(([id]) => id);
		},
	};
}
