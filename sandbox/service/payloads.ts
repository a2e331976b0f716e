import type { Dialect } from '../dialects';
import type { CallData } from './events';

/** The `data` of a delivery in a dialect. Only calls have several forms. */
export function payload(data: object, form: Dialect['payload']): object {
	return form === 'snake' || !isCall(data) ? data : forms[form](data);
}

const forms = {
	camel: (call: CallData) => ({
		call: {
			id: call.call_id,
			direction: call.direction,
			channel: call.channel,
			fromNumber: call.from,
			toNumber: call.to,
			startTime: milliseconds(call.started_at),
			endTime: milliseconds(call.ended_at),
			durationMs: call.duration_seconds && call.duration_seconds * 1000,
			recordingUrl: call.recording_url,
			transcript: call.transcript?.map(({ role, text }) => ({ speaker: role, content: text })),
			analysis: call.summary && { summary: call.summary, disposition: call.outcome },
		},
		customer: call.customer && {
			fullName: call.customer.name,
			emailAddress: call.customer.email,
			phoneNumber: call.customer.phone,
		},
		agent: call.agent && { agentId: call.agent.id, agentName: call.agent.name },
	}),
	form: (call: CallData) => ({
		CallSid: call.call_id,
		Direction: call.direction,
		Channel: call.channel,
		From: call.from,
		To: call.to,
		CallerName: call.customer?.name,
		CallStatus: call.ended_at ? 'completed' : 'in-progress',
		CallOutcome: call.outcome,
		CallSummary: call.summary,
		CallDuration: call.duration_seconds?.toString(),
		StartTime: call.started_at && new Date(call.started_at).toUTCString(),
		RecordingUrl: call.recording_url,
	}),
} satisfies Record<string, (call: CallData) => object>;

function isCall(data: object): data is CallData {
	return 'call_id' in data;
}

function milliseconds(time: string | undefined): number | undefined {
	return time === undefined ? undefined : Date.parse(time);
}
