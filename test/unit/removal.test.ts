import {
	countsAsRemoved,
	type RemovalAnswer,
	type Showing,
} from '../../nodes/VoiceAgent/endpoint/removal';

/** Answers to the DELETEs of one call, and how the list shows the endpoint after them. */
const cases: Array<[answers: RemovalAnswer[], showing: Showing, isRemoved: boolean]> = [
	[[], 'absent', false],
	[['removed'], 'absent', true],
	[['missing'], 'absent', true],
	// Services refuse in many ways to remove what is gone.
	[['refused'], 'absent', true],
	[['removed', 'refused'], 'absent', true],
	// Only what is there is refused for its state; no answer shows nothing.
	[['unclear'], 'absent', false],
	[['removed', 'unclear'], 'absent', false],
	[['unclear', 'missing'], 'absent', true],

	[[], 'enabled', false],
	[['missing'], 'enabled', false],
	[['missing', 'missing'], 'enabled', false],
	[['missing', 'missing', 'missing'], 'enabled', true],
	[['removed', 'missing', 'missing'], 'enabled', false],
	[['removed', 'missing', 'missing', 'missing'], 'enabled', true],
	// A service that answers every DELETE with success may remove nothing.
	[['removed', 'removed', 'removed'], 'enabled', false],
	[['refused', 'refused', 'refused'], 'enabled', false],
	[['unclear', 'missing', 'missing', 'missing'], 'enabled', true],
	[['missing', 'missing', 'unclear', 'missing'], 'enabled', false],

	// It keeps a removed endpoint in its list, and shows that it gets nothing.
	[['removed'], 'disabled', false],
	[['removed', 'removed', 'removed'], 'disabled', true],
	[['removed', 'missing', 'missing'], 'disabled', true],
	[['removed', 'removed', 'refused'], 'disabled', false],
	[['refused', 'refused', 'refused'], 'disabled', false],
];

test.each(cases)('%j, and then listed as %s: counts as removed is %s', (answers, showing, is) =>
	expect(countsAsRemoved(answers, showing)).toBe(is),
);
