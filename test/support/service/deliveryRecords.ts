import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import type { DeliveryDetails } from '../../../nodes/VoiceAgent/log/attempts';

/** A delivery record in a documented form, with its expected details. */
export interface DeliveryRecord {
	form: string;
	record: IDataObject;
	/** The details that are not null. */
	details: Partial<Omit<DeliveryDetails, 'endpointId'>>;
}

const FILE = join(__dirname, '..', '..', 'payloads', 'deliveryRecords.json');

/** Records in the forms of documented delivery logs, with invented values. */
export const deliveryRecords = JSON.parse(readFileSync(FILE, 'utf8')) as DeliveryRecord[];
