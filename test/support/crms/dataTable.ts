import type { IDataObject } from 'n8n-workflow';

import type { Table } from '../dataTables';
import { before, type Crm } from './crm';

/**
 * The data tables that the main example keeps.
 *
 * @param tables gives the ones of customers and calls, once they are there
 */
export function customerTable(tables: () => { customers: Table; calls: Table }): Crm {
	return {
		hosts: {},
		async know(people) {
			const { customers, calls } = tables();
			await calls.clear();
			await customers.clear();
			await customers.insert(
				people.map(({ phone, mobile, name, email }) => ({
					phone: phone ?? mobile ?? null,
					name,
					email: email ?? null,
					last_outcome: before.last_outcome,
					last_summary: before.last_summary,
				})),
			);
		},
		async people() {
			const rows = await tables().customers.rows();
			const told = (row: IDataObject) =>
				Object.entries(row).filter(([column]) => !/^(id|createdAt|updatedAt)$/.test(column));
			return Object.fromEntries(
				rows.map((row) => [row.id, Object.fromEntries(told(row))]),
			) as Record<string, object>;
		},
		async calls() {
			const rows = await tables().calls.rows();
			return rows
				.filter(({ status }) => status !== 'no person')
				.map(({ call_id, customer_id }) => ({
					callId: (call_id as string) ?? undefined,
					personId: customer_id ? String(customer_id as number) : undefined,
				}));
		},
	};
}
