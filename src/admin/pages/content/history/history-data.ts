/**
 * Reads the history of an asset, and restores its past states.
 */
import { infiniteQueryOptions, queryOptions, skipToken, useQueryClient } from '@tanstack/react-query';
import { ApiProblem, admin, answer, answerWithTag, type ContentChange, ifMatch } from '../../../api.ts';
import { assetById } from '../../../parts/data/asset-query.ts';
import { typeList } from '../../../parts/data/lists.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';

/** The changes of an asset, newest first, in pages: of the live asset, or of its draft in a release. */
export const historyOf = (id: string, release?: string) =>
  infiniteQueryOptions({
    queryKey: ['contents', id, 'history', release ?? null],
    queryFn: ({ pageParam: cursor }) =>
      answer(
        admin.listContentHistory({
          path: { id },
          query: { ...(cursor !== undefined && { cursor }), ...(release !== undefined && { release }) },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

/** The state of an asset in a version, with what does not fit its type; nothing without a version. It never changes. */
export const stateIn = (id: string, version: string | undefined, release?: string) =>
  queryOptions({
    queryKey: ['contents', id, 'versions', version, release ?? null],
    queryFn:
      version === undefined
        ? skipToken
        : () =>
            answer(
              admin.getContentVersion({
                path: { id, version },
                query: { ...(release !== undefined && { release }) },
              }),
            ),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The version that a change can be taken back to: the one that it gave; of a deletion, the one before it. */
export function versionToRestore({ action, version, previousVersion }: ContentChange): string | undefined {
  if (action === 'erase') return undefined;
  return version ?? previousVersion;
}

/** What to restore. Without `fields`, the whole state. */
export interface Restore {
  readonly id: string;
  readonly version: string;
  readonly fields?: readonly string[] | undefined;
  /** The entity tag of the present state, which must not have changed since; undefined if the asset does not exist. */
  readonly tag: string | undefined;
}

/** Restores a past state. Errors: ApiProblem, with all problems. */
export function useRestore(): (restore: Restore) => Promise<StoredAsset> {
  const client = useQueryClient();
  return async ({ id, version, fields, tag }) => {
    const restored = answerWithTag(
      admin.restoreContent({
        path: { id },
        body: { version, ...(fields && { fields: [...fields] }) },
        headers: ifMatch({ tag }),
      }),
    );
    const stored = await restored.catch(async (error: unknown) => {
      // Someone else was quicker: shows the new state, so that the user can decide again.
      if (isOutdated(error))
        await client.invalidateQueries({ queryKey: assetById(id).queryKey, exact: true });
      throw error;
    });
    client.setQueryData(assetById(id).queryKey, stored);
    void client.invalidateQueries({ queryKey: historyOf(id).queryKey });
    void client.invalidateQueries({ queryKey: ['contents', 'query'] });
    void client.invalidateQueries({ queryKey: ['contents', 'deleted'] });
    void client.invalidateQueries({ queryKey: typeList.queryKey, exact: true });
    return stored;
  };
}

function isOutdated(error: unknown): boolean {
  return error instanceof ApiProblem && [404, 409, 412].includes(error.status);
}
