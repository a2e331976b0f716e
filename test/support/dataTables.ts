import type { IDataObject } from 'n8n-workflow';
import type { N8nApi } from '../../sandbox/stack/n8n-api';

/** A data table of n8n; empty until n8n has created it. */
export interface Table {
	/** The first 100 rows. */
	rows(): Promise<IDataObject[]>;
	insert(rows: IDataObject[]): Promise<void>;
	clear(): Promise<void>;
	/** Removes a column, so that n8n can't write rows with it. @returns how to add the column again */
	removeColumn(name: string): Promise<() => Promise<void>>;
}

/** @param end the end of the table's name */
export function tableNamed(api: N8nApi, end: string): Table {
	let path: string | undefined;
	const find = async () => {
		if (path) return path;
		const { id } = await api.request<{ id: string }>('GET', '/projects/personal');
		const tables = `/projects/${id}/data-tables`;
		const { data } = await api.request<{ data: Array<{ id: string; name: string }> }>(
			'GET',
			tables,
		);
		const table = data.find(({ name }) => name.endsWith(end));
		return (path = table && `${tables}/${table.id}`);
	};
	return {
		async rows() {
			const table = await find();
			if (!table) return [];
			const params = { take: 100, sortBy: 'id:asc' };
			const { data } = await api.request<{ data: IDataObject[] }>(
				'GET',
				`${table}/rows`,
				undefined,
				params,
			);
			return data;
		},
		async insert(rows) {
			const table = await find();
			if (!table) throw new Error(`No data table has a name that ends with ${end}`);
			await api.request('POST', `${table}/insert`, { data: rows, returnType: 'count' });
		},
		async clear() {
			const table = await find();
			if (!table) return;
			const filter = { type: 'and', filters: [{ columnName: 'id', condition: 'gt', value: 0 }] };
			await api.request('DELETE', `${table}/rows`, undefined, { filter: JSON.stringify(filter) });
		},
		async removeColumn(name) {
			const columns = `${await find()}/columns`;
			type Column = { id: string; name: string; type: string };
			const all = await api.request<Column[]>('GET', columns);
			const { id, type } = all.find((column) => column.name === name)!;
			await api.request('DELETE', `${columns}/${id}`);
			return async () => void (await api.request('POST', columns, { name, type }));
		},
	};
}
