/**
 * Reads an API client and changes it. Every change gives the client another entity tag, so it is read again after each.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ApiClient, admin, answer, answerWithTag, ifMatch, type Scope, type Tagged } from '../../api.ts';

/** The fields of an API client's form. An empty list means no restriction; the server generates an ID where it is empty. */
export interface ClientFields {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly sites: readonly string[];
  readonly endpoints: readonly string[];
}

/** A key to add; without `expiresAt` it does not expire. */
export interface NewKey {
  readonly name: string;
  readonly expiresAt: number | undefined;
}

/** The fields of a new client. */
export const blankClient: ClientFields = { clientId: '', name: '', scopes: [], sites: [], endpoints: [] };

/** The fields of a stored client. */
export function toFields({ clientId, name, scopes, sites = [], endpoints = [] }: ApiClient): ClientFields {
  return { clientId, name, scopes, sites, endpoints };
}

/** Reads a client, with its entity tag. */
export function useApiClient(id: string) {
  return useQuery({
    queryKey: ['api-clients', id],
    queryFn: () => answerWithTag(admin.getApiClient({ path: { id } })),
    // A form begins with the present state, not with one remembered.
    gcTime: 0,
  });
}

/** The actions on API clients. Errors: ApiProblem; 412 from `save` when the client has changed in the meantime. */
export function useClientChanges() {
  const client = useQueryClient();

  async function done<Data>(call: Promise<Data>): Promise<Data> {
    const data = await call;
    await client.invalidateQueries({ queryKey: ['api-clients'] });
    return data;
  }

  return {
    create: (fields: ClientFields) => done(answer(admin.createApiClient({ body: toNewClient(fields) }))),
    save: (fields: ClientFields, seen: Tagged<ApiClient>) => {
      const call = { path: { id: seen.data.clientId }, headers: ifMatch(seen), body: toChanges(fields) };
      return done(answer(admin.updateApiClient(call)));
    },
    rotate: (id: string) => done(answer(admin.rotateSecret({ path: { id } }))),
    revoke: (id: string) => done(answer(admin.revokeApiClient({ path: { id } }))),
    addKey: (id: string, { name, expiresAt }: NewKey) => {
      const body = { name, ...(expiresAt !== undefined && { expiresAt }) };
      return done(answer(admin.addKey({ path: { id }, body })));
    },
    removeKey: (id: string, keyId: string) => done(answer(admin.removeKey({ path: { id, keyId } }))),
  };
}

/** What is sent of a new client. */
export function toNewClient({ clientId, name, scopes, sites, endpoints }: ClientFields) {
  return {
    name,
    scopes: [...scopes],
    ...(clientId === '' ? {} : { clientId }),
    ...(sites.length === 0 ? {} : { sites: [...sites] }),
    ...(endpoints.length === 0 ? {} : { endpoints: [...endpoints] }),
  };
}

/** What is sent of a stored client. */
export function toChanges({ name, scopes, sites, endpoints }: ClientFields) {
  return {
    name,
    scopes: [...scopes],
    sites: sites.length === 0 ? null : [...sites],
    endpoints: endpoints.length === 0 ? null : [...endpoints],
  };
}
