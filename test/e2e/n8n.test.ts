/** All suites that need a real n8n share one, since a start takes half a minute. */
import { shortened } from '../compat/needs';
import { shareN8n } from './harness';

const suites = [
	// It reads in the log which triggers n8n has activated, so no other trigger may be published before.
	...shortened(['trace'], 0),
	'connector',
	'deliveries',
	'aiTool',
	'examples',
	'starters',
	'keyRotation',
	'recordingExamples',
	...shortened(['anotherCrm'], 0),
	'matchCustomer',
	'pastEvents',
	...shortened(['pasted'], 0),
	// The last, since it searches what the others have left.
	'secrets',
];

shareN8n();
for (const suite of suites) describe(suite, () => void jest.requireActual(`./suites/${suite}`));
