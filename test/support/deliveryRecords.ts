import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import type { DeliveryDetails } from '../../nodes/VoiceAgent/deliveryLog/deliveryDetails';

/** A delivery record in the form that a service documents, and its details. */
export interface DeliveryRecord {
	form: string;
	record: IDataObject;
	/** Details that are not null. */
	details: Partial<Omit<DeliveryDetails, 'endpointId'>>;
}

const FILE = join(__dirname, '..', 'payloads', 'deliveryRecords.json');

/** Forms of the delivery logs of services that document them, with values of our own. */
export const deliveryRecords = JSON.parse(readFileSync(FILE, 'utf8')) as DeliveryRecord[];
