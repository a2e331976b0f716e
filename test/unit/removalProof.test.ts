import {
	countsAsRemoved,
	type RemovalAnswer,
	type Showing,
} from '../../nodes/VoiceAgent/webhook/removalProof';

/** The answers to the DELETEs of one call, the endpoint's state in the list, and the expected result. */
const cases: Array<[answers: RemovalAnswer[], showing: Showing, isRemoved: boolean]> = [
	[[], 'absent', false],
	[['removed'], 'absent', true],
	[['missing'], 'absent', true],
	// Services refuse a second removal with various statuses.
	[['refused'], 'absent', true],
	// A refusal for the state shows that the endpoint exists; a missing answer shows nothing.
	[['unclear'], 'absent', false],
	[['unclear', 'missing'], 'absent', true],

	[[], 'enabled', false],
	[['missing', 'missing'], 'enabled', false],
	[['missing', 'missing', 'missing'], 'enabled', true],
	[['removed', 'missing', 'missing'], 'enabled', false],
	[['removed', 'missing', 'missing', 'missing'], 'enabled', true],
	// A service that answers every DELETE with success may remove nothing.
	[['removed', 'removed', 'removed'], 'enabled', false],
	[['refused', 'refused', 'refused'], 'enabled', false],
	[['unclear', 'missing', 'missing', 'missing'], 'enabled', true],
	[['missing', 'missing', 'unclear', 'missing'], 'enabled', false],

	// Some services keep a removed endpoint in their list as disabled.
	[['removed'], 'disabled', false],
	[['removed', 'removed', 'removed'], 'disabled', true],
	[['removed', 'missing', 'missing'], 'disabled', true],
	[['removed', 'removed', 'refused'], 'disabled', false],
	[['refused', 'refused', 'refused'], 'disabled', false],
];

// Promise: A removal counts only where the answers and the list prove it.
test.each(cases)('the answers %j, then the list state %s: removed is %s', (answers, showing, is) =>
	expect(countsAsRemoved(answers, showing)).toBe(is),
);
