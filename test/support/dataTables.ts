import type { IDataObject } from 'n8n-workflow';
import type { N8nApi } from '../../sandbox/stack/n8n-api';

/** The data table that a workflow has made itself, which it has its own id in the name. */
export function dataTables(api: N8nApi) {
	const find = async (workflowId: string) => {
		const { id: projectId } = await api.request<{ id: string }>('GET', '/projects/personal');
		const path = `/projects/${projectId}/data-tables`;
		const { data } = await api.request<{ data: Array<{ id: string; name: string }> }>('GET', path);
		const table = data.find(({ name }) => name.endsWith(workflowId));
		return table && `${path}/${table.id}/rows`;
	};
	return {
		async rows(workflowId: string): Promise<IDataObject[]> {
			const path = await find(workflowId);
			if (!path) return [];
			return (await api.request<{ data: IDataObject[] }>('GET', path)).data;
		},
		async clear(workflowId: string): Promise<void> {
			const path = await find(workflowId);
			const filter = { type: 'and', filters: [{ columnName: 'id', condition: 'gt', value: 0 }] };
			if (path) await api.request('DELETE', path, undefined, { filter: JSON.stringify(filter) });
		},
	};
}
