/**
 * What the kinds of access are called, and what they mean.
 */
import type { Access } from '../api.ts';

/** The kinds of access, by what they ask of callers. */
export const accessNames: Readonly<Record<Access, string>> = {
  ANYONE: 'Anyone',
  API_KEY: 'API key',
  CLIENT_CREDENTIALS: 'Client credentials',
};

/** What each asks of callers, in a sentence. */
export const accessMeanings: Readonly<Record<Access, string>> = {
  ANYONE: 'No credentials are asked for: whoever reaches the server may use it.',
  API_KEY: 'Callers send a key of an API client as X-API-Key; its ID and secret do as well.',
  CLIENT_CREDENTIALS: 'Callers send X-Client-Id and X-Client-Secret; a key alone does not do.',
};
