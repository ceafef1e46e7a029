/**
 * The access rules of a REST endpoint.
 */
import type { Access, GraphqlEndpoint, RestAccess } from '../../../api.ts';
import { accessMeanings, accessNames } from '../../../parts/endpoints/access-names.ts';

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
