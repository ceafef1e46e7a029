/**
 * The labels and descriptions of the access rules.
 */
import type { Access } from '../../api.ts';

/** The kinds of access, by what they ask of callers. */
export const accessNames: Readonly<Record<Access, string>> = {
  ANYONE: 'Anyone',
  API_KEY: 'API key',
  CLIENT_CREDENTIALS: 'Client credentials',
};

/** What each asks of callers, in a sentence. */
export const accessMeanings: Readonly<Record<Access, string>> = {
  ANYONE: 'No credentials are required: anyone who can reach the server may use it.',
  API_KEY: 'Callers send a key of an API client as X-API-Key, or its ID and secret.',
  CLIENT_CREDENTIALS: 'Callers send X-Client-Id and X-Client-Secret. A key is not enough.',
};
