/*
 * A poll records what it has done through the trigger's own webhook, where n8n has just read the static data, and
 * stores them at once. The request has a callback token of its own, and proves by the API key that it is the poll's.
 */
import { createHmac } from 'crypto';

import { isEqual } from './token';

/** The header with the proof, which also tells the request from a delivery. */
export const RECORD_HEADER = 'x-voice-agent-record';

/** Keeps other signatures with the same API key from passing as a record's. */
const LABEL = 'n8n-nodes-voice-agent record';

/** @returns the proof for the text of a record */
export function signRecord(apiKey: string, body: string): string {
	return createHmac('sha256', apiKey).update(`${LABEL}\n${body}`).digest('base64url');
}

/** Tests whether the bytes of a record were signed with this API key. */
export function isRecord(apiKey: string, body: Buffer, proof: unknown): boolean {
	return typeof proof === 'string' && isEqual(proof, signRecord(apiKey, body.toString()));
}
