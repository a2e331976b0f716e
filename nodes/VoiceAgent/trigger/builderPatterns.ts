/**
 * What n8n's AI builder and MCP server show a model beside the trigger's parameters, in the language of n8n's
 * Workflow SDK: the item, and the wiring of the examples for CRMs. n8n before 2.41 ignores it.
 */
export const builderPatterns = `<patterns>
<pattern title="The item: callDetails beside the event's own fields. Every key is always there; each value but person, test, title and text may be null">
const calls = trigger({ type: 'n8n-nodes-voice-agent.voiceAgentTrigger', version: 1.1, config: { name: 'A call has ended', parameters: { events: ['call.completed'] } }, output: [{ callDetails: {
  person: 'found', // the event names the customer; or 'withheld' (hidden number), 'web' (no phone call), 'unknown'
  test: false, // true: a test event, whose values are invented
  id: 'call_8Qx', direction: 'inbound', // or 'outbound'
  customer: { phone: '+14155550100', name: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
  agent: { id: 'agt_7', name: 'Reception', phone: '+14155550199' },
  startedAt: '2026-01-31T09:01:00.000Z', endedAt: '2026-01-31T09:04:10.000Z', durationSeconds: 190,
  outcome: 'booked', summary: 'Ada booked a visit.', transcript: 'Agent: Hello', recordingUrl: 'https://example.com/1.mp3',
  collected: {}, // by the workspace's own names, such as collected.visit_day
  title: 'Call with Ada Lovelace, 3 min: booked', text: 'Ada booked a visit. Customer: Ada Lovelace', // for a subject, and the summary with a line for each known value
} }] });
</pattern>
<pattern title="Calls on the right record of a CRM. find may find too much; match outputs Found, New, Unclear and No Customer, each with record, recordId and reason">
const find = node({ type: 'n8n-nodes-base.pipedrive', version: 2, config: { name: 'Find customer', executeOnce: true, parameters: { resource: 'person', operation: 'getAll', returnAll: true } } });
const match = node({ type: 'n8n-nodes-voice-agent.voiceAgent', version: 1, config: { name: 'Match Customer', parameters: { resource: 'call', operation: 'matchCustomer' } } });
const create = node({ type: 'n8n-nodes-base.pipedrive', version: 2, config: { name: 'Create customer', parameters: { resource: 'person', operation: 'create', name: expr('{{ $json.callDetails.customer.name ?? $json.callDetails.customer.phone ?? $json.callDetails.customer.email }}') } } });
const log = node({ type: 'n8n-nodes-base.pipedrive', version: 2, config: { name: 'Log call', parameters: { resource: 'activity', operation: 'create', type: 'call', done: true, subject: expr("{{ $('Match Customer').item.json.callDetails.title }}"), additionalFields: { person_id: expr('{{ $json.recordId ?? $json.id }}'), note: expr("{{ $('Match Customer').item.json.callDetails.text }}") } } } });
const ask = node({ type: 'n8n-nodes-base.pipedrive', version: 2, config: { name: 'Ask whose call', parameters: { resource: 'activity', operation: 'create', type: 'task', subject: expr('Whose call? {{ $json.callDetails.title }}'), additionalFields: { note: expr('{{ $json.reason }} {{ $json.callDetails.text }}') } } } });
export default workflow('calls-in-crm', 'Calls in a CRM').add(calls).to(find.to(match.input(1))).add(calls).to(match.input(0)).add(match.output(0).to(log)).add(match.output(1).to(create.to(log))).add(match.output(2).to(ask)).add(match.output(3).to(ask));
</pattern>
</patterns>`;
