import type { IDataObject } from 'n8n-workflow';

/*
 * Fields beside a call that look like details of the call, the customer or the agent, but are not.
 * The values of decoys occur nowhere else.
 */

export const DECOY_CLASSES = [
	'another call inside',
	'nested in the customer',
	'contacts that are not the customer',
	'users',
	'no phone numbers',
	'other times',
] as const;

export type DecoyClass = (typeof DECOY_CLASSES)[number];

const PERSON = {
	name: 'Dora Decoy',
	first_name: 'Dora',
	last_name: 'Decoy',
	email: 'dora@decoy.example',
	phone: '+442079460999',
	number: '+442079460999',
};
const OTHER_CALL = {
	call_id: 'decoy_call',
	id: 'decoy_call',
	direction: 'outbound',
	from: '+442079460998',
	to: '+442079460999',
	customer: PERSON,
	customer_phone: '+442079460999',
	agent: { id: 'decoy_agent', name: 'Dan Decoy' },
	started_at: '2025-02-03T04:05:06Z',
	ended_at: '2025-02-03T04:15:06Z',
	duration_seconds: 600,
	status: 'no-answer',
	outcome: 'decoy_outcome',
	summary: 'A decoy of a summary.',
	transcript: 'Agent: A decoy.',
	recording_url: 'https://decoy.example/r.mp3',
};
const TIMES = { start: '2025-02-03T04:05:06Z', end: '2025-02-03T04:15:06Z', duration: 600 };

/** @returns an object with the same value for each name */
function each(names: string, value: unknown): IDataObject {
	return Object.fromEntries(names.split(' ').map((name) => [name, value])) as IDataObject;
}

export const DECOYS: Record<DecoyClass, IDataObject> = {
	'another call inside': {
		...each('last_call previous_call prior_call original_call next_call parent_call', OTHER_CALL),
		...each('related_call last_conversation lastInteraction callback_call', OTHER_CALL),
		...each('history recent_calls previousCalls call_history linked_calls', [
			OTHER_CALL,
			{ ...OTHER_CALL, id: 'decoy_2' },
		]),
		...each('past_calls last_calls earlier_conversations', [OTHER_CALL]),
		agent_state: { last_call: OTHER_CALL },
		crm_contact: { calls: [OTHER_CALL], last_call: OTHER_CALL },
		last_call_summary: 'A decoy of a summary.',
		previous_summary: 'A decoy of a summary.',
		last_call_id: 'decoy_call',
		previous_outcome: 'decoy_outcome',
		last_call_direction: 'outbound',
	},
	'nested in the customer': {
		...each('household spouse relative referrer emergency_contact', PERSON),
		customer_record: {
			plan: { name: 'Decoy plan' },
			city: { name: 'Decoytown' },
			vehicle: { name: 'Decoymobile', id: 'decoy_vehicle' },
			primaryPhysician: PERSON,
		},
		lead_file: { realtor: PERSON, stage: { name: 'Decoy stage' }, owner: PERSON },
	},
	'contacts that are not the customer': {
		...each('workspace clinic organization company account tenant store location team', {
			...PERSON,
			contact_email: 'dora@decoy.example',
			contact_phone: '+442079460999',
			contact_name: 'Dora Decoy',
			customer: PERSON,
			contact: PERSON,
		}),
		...each('owner created_by createdBy assigned_to supervisor escalation support billing', {
			...PERSON,
			contact: PERSON,
		}),
		...each('support_contact billing_contact escalation_contact contact_person', PERSON),
		...each('lead_source contact_list customer_segment agent_customer patient_group', PERSON),
		...each('support_contact_email support_email owner_email reply_to_email', 'dora@decoy.example'),
		...each('support_contact_phone support_phone owner_phone fax_number', '+442079460999'),
		...each('lead_owner_name contact_person_name account_manager_name', 'Dora Decoy'),
	},
	users: {
		...each('user account_user created_by_user logged_in_user operator', {
			...PERSON,
			role: 'admin',
		}),
		users: [{ ...PERSON, role: 'admin' }],
		account_users: [PERSON],
		bot_owner: { user: PERSON },
		user_email: 'dora@decoy.example',
		user_name: 'Dora Decoy',
	},
	'no phone numbers': {
		...each('customer_number lead_number patient_number client_number', '10045678'),
		...each('customer_no order_number invoice_number ticket_number', '1004567812'),
		...each('account_number policy_number', 1004567812),
		...each('order_total customer_value price amount', 12004500),
		customer_balance: { value: 12004500 },
	},
	'other times': {
		...each('meeting appointment slot booking employment shift billing_period', {
			...TIMES,
			start_time: TIMES.start,
			end_time: TIMES.end,
		}),
		...each('appointment_start meeting_start booking_start_time slot_start', TIMES.start),
		...each('appointment_end subscription_end_date contract_end trial_ended_at', TIMES.end),
		...each('appointment_duration max_duration ring_duration wait_duration', 600),
	},
};
