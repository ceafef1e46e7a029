/**
 * The access rules of endpoints in words.
 */
import type { Access, GraphqlEndpoint, RestAccess } from '../../api.ts';

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

/** The labels of the choices. */
export const restAccessNames: Readonly<Record<RestAccess, string>> = {
  INHERIT: 'As the source',
  ...accessNames,
};

/** A sentence that explains each choice. */
export const restAccessMeanings: Readonly<Record<RestAccess, string>> = {
  INHERIT: 'The same rule as the source endpoint, including later changes.',
  ...accessMeanings,
};

/** The effective access rule. A deleted source counts as the strictest one. */
export function accessOf(access: RestAccess, source: GraphqlEndpoint | undefined): Access {
  return access === 'INHERIT' ? (source?.access ?? 'CLIENT_CREDENTIALS') : access;
}
