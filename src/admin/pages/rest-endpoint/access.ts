/**
 * What is asked of the callers of a REST endpoint.
 */
import type { Access, GraphqlEndpoint, RestAccess } from '../../api.ts';
import { accessMeanings, accessNames } from '../../parts/access-names.ts';

/** What the choices are called. */
export const restAccessNames: Readonly<Record<RestAccess, string>> = {
  INHERIT: 'As the source',
  ...accessNames,
};

/** What each means, in a sentence. */
export const restAccessMeanings: Readonly<Record<RestAccess, string>> = {
  INHERIT: 'Callers need what the source endpoint asks for, also when that changes.',
  ...accessMeanings,
};

/** What is asked in the end; a source that is gone asks the most. */
export function accessOf(access: RestAccess, source: GraphqlEndpoint | undefined): Access {
  return access === 'INHERIT' ? (source?.access ?? 'CLIENT_CREDENTIALS') : access;
}
