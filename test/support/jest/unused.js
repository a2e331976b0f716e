/** What parts of n8n-core load, which no test uses: each of its exports is an empty class. */
module.exports = new Proxy({}, { get: () => class {} });
