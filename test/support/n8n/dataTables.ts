import type { IDataObject } from 'n8n-workflow';
import type { N8nApi } from '../../../sandbox/stack/n8n-api';

/** A data table of n8n; empty until n8n has created it. */
export type Table = ReturnType<typeof tableNamed>;

/** @param end the end of the table's name */
export function tableNamed(api: N8nApi, end: string) {
	let id: string | undefined;
	const find = async () => {
		const { data } = await api.request<{ data: Array<{ id: string; name: string }> }>(
			'GET',
			await api.tables(),
		);
		return (id ??= data.find(({ name }) => name.endsWith(end))?.id);
	};
	const pathOf = async (part: string) => `${await api.tables()}/${await find()}/${part}`;
	return {
		/** The first 100 rows. */
		async rows() {
			const table = await find();
			return table ? await api.dataTableRows(table) : [];
		},
		async insert(rows: IDataObject[]) {
			await api.request('POST', await pathOf('insert'), { data: rows, returnType: 'count' });
		},
		async clear() {
			if (!(await find())) return;
			const filter = { type: 'and', filters: [{ columnName: 'id', condition: 'gt', value: 0 }] };
			const params = { filter: JSON.stringify(filter) };
			await api.request('DELETE', await pathOf('rows'), undefined, params);
		},
	};
}
