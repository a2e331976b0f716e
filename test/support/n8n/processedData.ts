import { DataDeduplicationService } from 'n8n-core';
import type { ICheckProcessedContextData, IDataDeduplicator } from 'n8n-workflow';

type Items = Array<string | number>;

/** What n8n keeps in its table of processed data. */
class ProcessedData {
	private readonly entries = new Set<string>();

	async checkProcessedAndRecord(items: Items, _scope: string, context: ICheckProcessedContextData) {
		const nameOf = nameIn(context);
		const processed = items.filter((item) => this.entries.has(nameOf(item)));
		const added = items.filter((item) => !this.entries.has(nameOf(item)));
		for (const item of added) this.entries.add(nameOf(item));
		return await Promise.resolve({ processed, new: added });
	}

	async removeProcessed(items: Items, _scope: string, context: ICheckProcessedContextData) {
		for (const item of items) this.entries.delete(nameIn(context)(item));
		return await Promise.resolve();
	}
}

function nameIn({ workflow, node }: ICheckProcessedContextData) {
	return (item: string | number) => `${workflow.id} ${node?.id} ${item}`;
}

/** Gives the executions of n8n-core a table of processed data. The files of `npm run mutations` share n8n-core. */
export async function provideProcessedData(): Promise<void> {
	if (DataDeduplicationService['instance'] as unknown) return;
	await DataDeduplicationService.init(new ProcessedData() as unknown as IDataDeduplicator);
}
