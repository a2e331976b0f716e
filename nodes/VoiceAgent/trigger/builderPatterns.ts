/**
 * What n8n's AI builder and MCP server show a model beside the trigger's parameters, in the language of n8n's
 * Workflow SDK: the item, and two wirings. n8n before 2.41 ignores it.
 */
export const builderPatterns = `<patterns>
<pattern title="The item: callDetails beside the event's own fields. Every key is always there; each value but person, title and text may be null">
const calls = trigger({ type: 'n8n-nodes-voice-agent.voiceAgentTrigger', version: 1.1, config: { name: 'A call has ended', parameters: { events: ['call.completed'] } }, output: [{ callDetails: {
  person: 'found', // the event names the customer; or 'withheld' (hidden number), 'web' (no phone call), 'unknown'
  id: 'call_8Qx', direction: 'inbound', // or 'outbound'
  customer: { phone: '+14155550100', name: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
  agent: { id: 'agt_7', name: 'Reception', phone: '+14155550199' },
  startedAt: '2026-01-31T09:01:00.000Z', endedAt: '2026-01-31T09:04:10.000Z', durationSeconds: 190,
  outcome: 'booked', summary: 'Ada booked a visit.', transcript: 'Agent: Hello', recordingUrl: 'https://example.com/1.mp3',
  collected: {}, // by the workspace's own names, such as collected.visit_day
  title: 'Call with Ada Lovelace, 3 min: booked', text: 'Customer: Ada Lovelace', // for a subject, and a line for each known value
} }] });
</pattern>
<pattern title="Each call by e-mail. A row of a table instead: set output to 'row', let the node map the columns by itself, and upsert by call_id">
const mail = node({ type: 'n8n-nodes-base.emailSend', version: 2.1, config: { name: 'Send the summary', parameters: { toEmail: placeholder('Your e-mail address'), subject: expr('{{ $json.callDetails.title }}'), emailFormat: 'text', text: expr('{{ $json.callDetails.text }}') } } });
export default workflow('calls-by-email', 'Calls by e-mail').add(calls).to(mail);
</pattern>
<pattern title="The customer's record in a CRM. Only person 'found' has a customer to look up">
const isFound = ifElse({ version: 2.2, config: { name: 'Is the customer known?', parameters: { conditions: { combinator: 'and', conditions: [{ leftValue: expr('{{ $json.callDetails.person }}'), rightValue: 'found', operator: { type: 'string', operation: 'equals' } }] } } } });
const find = node({ type: 'n8n-nodes-base.pipedrive', version: 2, config: { name: 'Find the customer', parameters: { resource: 'person', operation: 'search', term: expr('{{ $json.callDetails.customer.phone ?? $json.callDetails.customer.email }}') } } });
export default workflow('calls-in-crm', 'Calls in a CRM').add(calls).to(isFound.onTrue(find).onFalse(mail));
</pattern>
</patterns>`;
