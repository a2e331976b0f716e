/**
 * Excludes the servers of the tests, and hosts that do not exist, from the proxy in the environment.
 */
const { no_proxy: lowerCase, NO_PROXY: upperCase } = process.env;
const hosts = [lowerCase ?? upperCase, 'localhost', '127.0.0.1', '.invalid'].filter(Boolean).join();
Object.assign(process.env, { no_proxy: hosts, NO_PROXY: hosts });
