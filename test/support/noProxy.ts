/**
 * Keeps a proxy that the environment names away from what the tests start on this machine, and from
 * hosts that are not there.
 */
const { no_proxy: lowerCase, NO_PROXY: upperCase } = process.env;
const hosts = [lowerCase ?? upperCase, 'localhost', '127.0.0.1', '.invalid'].filter(Boolean).join();
Object.assign(process.env, { no_proxy: hosts, NO_PROXY: hosts });
