/** n8n-workflow without waits; each test file has to pass it to `jest.mock`. */
module.exports = { ...jest.requireActual<object>('n8n-workflow'), sleep: () => Promise.resolve() };
