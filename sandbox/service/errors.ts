/** A refusal that the API answers with this status; the message is for the caller to read. */
export class ApiError extends Error {
	constructor(
		readonly statusCode: number,
		message: string,
	) {
		super(message);
	}
}
