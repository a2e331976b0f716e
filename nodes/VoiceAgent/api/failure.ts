/** Why a request got no answer: decides the error's text, and whether the request is sent again. */
export type FailureKind =
	/** Nothing was sent: the host does not exist or can't be reached. */
	| 'unknownHost'
	| 'unreachable'
	/** Nothing was sent, and the next attempt would fail too. */
	| 'insecure'
	| 'unsendable'
	/** No answer in time: another attempt may succeed. */
	| 'late'
	/** Aborted by this node: after the deadline, or because the user stopped the execution. */
	| 'ended'
	/** All else: the connection broke, and the request may have arrived. */
	| 'broken';

const CODES: Array<[FailureKind, RegExp]> = [
	['unknownHost', /^(ENOTFOUND|EAI_AGAIN)$/],
	['unreachable', /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/],
	['insecure', /^(EPROTO$|[A-Z_]*(CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_))/],
	['unsendable', /^ERR_INVALID/],
	['late', /^(ETIMEDOUT|ESOCKETTIMEDOUT|ECONNABORTED)$/],
	['ended', /^(ERR_CANCELED|TimeoutError|AbortError)$/],
];

/** @param failure the code of a connection that failed (`ECONNREFUSED`, …), or its message */
export function kindOfFailure(failure: string): FailureKind {
	return CODES.find(([, codes]) => codes.test(failure))?.[0] ?? 'broken';
}
