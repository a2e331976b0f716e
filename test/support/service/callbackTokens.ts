import { randomBytes } from 'node:crypto';

/** @returns a well-formed token of no endpoint */
export const newToken = () => randomBytes(32).toString('base64url');

/** @returns the token of an endpoint's URL; '' without one */
export const tokenOf = (url: string) => new URL(url).searchParams.get('voice_agent_token') ?? '';
