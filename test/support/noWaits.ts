/** n8n-workflow with waits that pass at once, for `jest.mock`, which has to stand in each test file. */
module.exports = { ...jest.requireActual<object>('n8n-workflow'), sleep: () => Promise.resolve() };
