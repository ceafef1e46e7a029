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
  type RestEndpoint,
  type RestEndpointDryRun,
} from '../../api.ts';
import { type EndpointDraft, toInput } from './editor/draft.ts';

/** An endpoint and the entity tag it was read with. */
export interface Kept {
  readonly data: RestEndpoint;
  readonly tag: string | undefined;
}

/** Reads an endpoint afresh. */
export function useRestEndpoint(id: string) {
  return useQuery({
    queryKey: ['rest-endpoints', id],
    queryFn: (): Promise<Kept> => answerWithTag(admin.getRestEndpoint({ path: { id } })),
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

  async function keep(call: Promise<Kept>): Promise<Kept> {
    const kept = await call;
    const key = ['rest-endpoints', kept.data.id];
    client.setQueryData(key, kept);
    // Whatever else is known of endpoints may have changed with it, but not what has just been answered.
    await client.invalidateQueries({
      queryKey: ['rest-endpoints'],
      predicate: ({ queryHash }) => queryHash !== hashKey(key),
    });
    return kept;
  }

  const at = ({ data, tag }: Kept) => ({
    path: { id: data.id },
    headers: tag === undefined ? {} : { 'If-Match': tag },
  });

  return {
    /** Runs a change as a dry run and returns its consequences. */
    tryOut: (change: RestEndpointDryRun, kept: Kept) =>
      answer(admin.dryRunRestEndpoint({ body: change, headers: at(kept).headers })),
    save: (draft: EndpointDraft, kept: Kept | undefined) => {
      const body = toInput(draft);
      return keep(
        answerWithTag(
          kept ? admin.saveRestEndpoint({ ...at(kept), body }) : admin.createRestEndpoint({ body }),
        ),
      );
    },
    publish: (kept: Kept) => keep(answerWithTag(admin.publishRestEndpoint(at(kept)))),
    unpublish: (kept: Kept) => keep(answerWithTag(admin.unpublishRestEndpoint(at(kept)))),
    restore: (kept: Kept, number: number) => {
      const { path, headers } = at(kept);
      return keep(answerWithTag(admin.restoreVersion({ path: { ...path, number }, headers })));
    },
    remove: async (kept: Kept) => {
      await answer(admin.deleteRestEndpoint(at(kept)));
      // The endpoint is gone, so its data must not be requested again.
      const isOther = ({ queryKey }: { queryKey: readonly unknown[] }) => !queryKey.includes(kept.data.id);
      await client.invalidateQueries({ queryKey: ['rest-endpoints'], predicate: isOther });
    },
  };
}

/** Whether an error says that the endpoint does not exist. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 404;
}

/** Whether an error says that the endpoint was changed in the meantime. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 412;
}
