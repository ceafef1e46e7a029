/**
 * Reads and changes a REST endpoint. A change is refused when the endpoint has changed since it was read.
 */
import { hashKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { buildSchema } from 'graphql';
import {
  ApiProblem,
  admin,
  answer,
  answerWithTag,
  ifMatch,
  type RestEndpoint,
  type RestEndpointDryRun,
  type Tagged,
  type VersionAction,
} from '../../api.ts';
import { type EndpointDraft, toInput } from './editor/draft.ts';

/** The way back from the page of an endpoint. */
export const back = { to: '/admin/endpoints', label: 'Endpoints' };

/** An endpoint as it was read. */
export type StoredEndpoint = Tagged<RestEndpoint>;

/** Reads an endpoint afresh. */
export function useRestEndpoint(id: string) {
  return useQuery({
    queryKey: ['rest-endpoints', id],
    queryFn: (): Promise<StoredEndpoint> => answerWithTag(admin.getRestEndpoint({ path: { id } })),
    enabled: id !== 'new',
  });
}

/** The schema of a GraphQL endpoint, for completion and checks while one types. */
export function useSourceSchema(source: string) {
  return useQuery({
    queryKey: ['graphql-endpoints', source, 'schema', 'built'],
    queryFn: async () =>
      buildSchema((await answer(admin.getGraphqlSchema({ path: { id: source } }))).sdl, {
        assumeValidSDL: true,
      }),
    enabled: source !== '',
    structuralSharing: false,
  });
}

/** What can be done to an endpoint; each resolves to what it has become. Errors: ApiProblem, 412 if it changed meanwhile. */
export function useEndpointChanges() {
  const client = useQueryClient();

  async function keep(call: Promise<StoredEndpoint>): Promise<StoredEndpoint> {
    const stored = await call;
    const key = ['rest-endpoints', stored.data.id];
    client.setQueryData(key, stored);
    // Whatever else is known of endpoints may have changed with it, but not what has just been answered.
    await client.invalidateQueries({
      queryKey: ['rest-endpoints'],
      predicate: ({ queryHash }) => queryHash !== hashKey(key),
    });
    return stored;
  }

  const at = ({ data, tag }: StoredEndpoint) => ({
    path: { id: data.id },
    headers: ifMatch({ tag }),
  });

  return {
    /** Runs a change as a dry run and returns its consequences. */
    tryOut: (change: RestEndpointDryRun, stored: StoredEndpoint) =>
      answer(admin.dryRunRestEndpoint({ body: change, headers: at(stored).headers })),
    save: (draft: EndpointDraft, stored: StoredEndpoint | undefined) => {
      const body = toInput(draft);
      return keep(
        answerWithTag(
          stored ? admin.saveRestEndpoint({ ...at(stored), body }) : admin.createRestEndpoint({ body }),
        ),
      );
    },
    publish: (stored: StoredEndpoint) => keep(answerWithTag(admin.publishRestEndpoint(at(stored)))),
    unpublish: (stored: StoredEndpoint) => keep(answerWithTag(admin.unpublishRestEndpoint(at(stored)))),
    restore: (stored: StoredEndpoint, number: number) => {
      const { path, headers } = at(stored);
      return keep(answerWithTag(admin.restoreVersion({ path: { ...path, number }, headers })));
    },
    remove: async (stored: StoredEndpoint) => {
      await answer(admin.deleteRestEndpoint(at(stored)));
      // The endpoint is gone, so its data must not be requested again.
      const isOther = ({ queryKey }: { queryKey: readonly unknown[] }) => !queryKey.includes(stored.data.id);
      await client.invalidateQueries({ queryKey: ['rest-endpoints'], predicate: isOther });
    },
  };
}

/** Whether an error says that the endpoint does not exist. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 404;
}

/** What was done, to stand within a sentence. */
export const actionWords: Readonly<Record<VersionAction, string>> = {
  SAVED: 'saved',
  PUBLISHED: 'published',
  UNPUBLISHED: 'unpublished',
  RESTORED: 'restored',
};
