import type { IDataObject } from 'n8n-workflow';
import type { N8nApi } from '../../sandbox/stack/n8n-api';

/** A data table that n8n has, or has not yet: then it is empty. */
export interface Table {
	/** The first 100. */
	rows(): Promise<IDataObject[]>;
	insert(rows: IDataObject[]): Promise<void>;
	clear(): Promise<void>;
}

/** @param end what the table's name ends with */
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
			if (!table) throw new Error(`There is no data table whose name ends with ${end}`);
			await api.request('POST', `${table}/insert`, { data: rows, returnType: 'count' });
		},
		async clear() {
			const table = await find();
			if (!table) return;
			const filter = { type: 'and', filters: [{ columnName: 'id', condition: 'gt', value: 0 }] };
			await api.request('DELETE', `${table}/rows`, undefined, { filter: JSON.stringify(filter) });
		},
	};
}
