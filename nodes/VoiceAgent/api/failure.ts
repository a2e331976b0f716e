/** Why a request got no answer; what a person is told and whether it is sent again hang on it. */
export type FailureKind =
	/** Nothing was sent: there is no such host, or no way to it. */
	| 'unknownHost'
	| 'unreachable'
	/** Nothing was sent, and the next try would meet the same fault. */
	| 'insecure'
	| 'unsendable'
	/** No answer in time, after which another try may do better. */
	| 'late'
	/** Broken off by us: the time is up, or the user has stopped the run. */
	| 'ended'
	/** All else: the connection broke, and what was sent may have arrived. */
	| 'broken';

const CODES: Array<[FailureKind, RegExp]> = [
	['unknownHost', /^(ENOTFOUND|EAI_AGAIN)$/],
	['unreachable', /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/],
	['insecure', /^(EPROTO$|[A-Z_]*(CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_))/],
	['unsendable', /^ERR_INVALID/],
	['late', /^(ETIMEDOUT|ESOCKETTIMEDOUT|ECONNABORTED)$/],
	['ended', /^(ERR_CANCELED|TimeoutError|AbortError)$/],
];

/** @param failure the code of a connection that failed (`ECONNREFUSED`, …), or the words for it */
export function kindOfFailure(failure: string): FailureKind {
	return CODES.find(([, codes]) => codes.test(failure))?.[0] ?? 'broken';
}
