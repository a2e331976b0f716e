/** What the drawn services were put through. */
export interface Report {
	services: number;
	operations: number;
	deliveries: number;
	/** How often each way of paging was followed to the end, and how often the user was told of more. */
	lists: Record<string, { whole: number; told: number }>;
}

export const emptyReport = (): Report => ({ services: 0, operations: 0, deliveries: 0, lists: {} });
