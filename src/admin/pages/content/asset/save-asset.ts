/**
 * Saves and deletes an asset, and invalidates the cached queries that depend on it.
 *
 * A save is made on top of the state that the form began with. What others have changed meanwhile is kept; where both changed the
 * same field, nothing is saved and the conflict is returned.
 */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { ApiProblem, admin, answer, answerWithTag, type ContentType } from '../../../api.ts';
import { typeList } from '../../../parts/data/lists.ts';
import { assetById } from '../../../parts/data/use-assets.ts';
import { useAction } from '../../../parts/forms/use-action.ts';
import { isWithoutLog } from '../../../parts/problems/history-problem.tsx';
import type { DraftObject } from '../draft/draft.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { findConflicts, type TheirChanges } from '../merge/find-conflicts.ts';

/** What to save. */
export interface Save {
  readonly body: Readonly<Record<string, unknown>>;
  /** The draft that the body was made from, which shows what was changed since. */
  readonly draft: DraftObject;
  /** The state that the draft began with; undefined for a new asset. */
  readonly base: StoredAsset | undefined;
}

/** How a save ended: the asset as it is now, or the conflicts with the present state. */
export type SaveOutcome =
  | { readonly kind: 'saved'; readonly stored: StoredAsset }
  | { readonly kind: 'conflict'; readonly theirs: StoredAsset; readonly changes: TheirChanges };

/** How often a save is tried again while others change other fields of the asset at the same time. */
const maxTries = 5;

/** Creates or updates an asset. */
export function useSaveAsset(
  type: ContentType,
  {
    onSaved,
    onError,
  }: { onSaved: (stored: StoredAsset, save: Save) => void; onError: (error: unknown) => void },
) {
  const client = useQueryClient();
  const save = async ({ body, base }: Save): Promise<SaveOutcome> => {
    if (base) return update(base, body);
    const created = admin.createContent({ body: { _type: type.class, ...body } });
    return { kind: 'saved', stored: await answerWithTag(created) };
  };
  return useAction(save, {
    onError,
    onSuccess: (outcome, variables) => {
      if (outcome.kind === 'conflict') return;
      const { stored } = outcome;
      client.setQueryData(assetById(stored.data._id).queryKey, stored);
      invalidateLists(client, stored.data._id);
      onSaved(stored, variables);
    },
  });
}

/** Deletes an asset if it has not changed since it was read. */
export function useDeleteAsset(): (stored: StoredAsset) => Promise<void> {
  const client = useQueryClient();
  return async ({ data: { _id: id }, tag }) => {
    await answer(
      admin.deleteContent({ path: { id }, headers: tag === undefined ? {} : { 'If-Match': tag } }),
    );
    void client.invalidateQueries({ queryKey: assetById(id).queryKey, refetchType: 'none' });
    invalidateLists(client, id);
  };
}

/** Saves changes on top of `base`; on top of the present state where that has other changes only. */
async function update(base: StoredAsset, body: Save['body']): Promise<SaveOutcome> {
  const { _id: id } = base.data;
  let known = base;
  for (let tries = 1; ; tries++) {
    try {
      return { kind: 'saved', stored: await send(known, body) };
    } catch (error) {
      if (!isOutdated(error) || tries === maxTries) throw error;
      const theirs = await answerWithTag(admin.getContent({ path: { id } }));
      const changes = findConflicts({ base: base.data, theirs: theirs.data, body });
      if (changes.conflicts.length > 0) return { kind: 'conflict', theirs, changes };
      known = theirs;
    }
  }
}

/** Sends changes of a state. The server merges them; without a change log it takes them only if nobody has changed the state. */
async function send({ data: { _id: id }, tag }: StoredAsset, body: Save['body']): Promise<StoredAsset> {
  const put = (headers: { 'X-Base-Version': string } | { 'If-Match': string } | undefined) =>
    answerWithTag(admin.updateContent({ path: { id }, body: { ...body }, ...(headers && { headers }) }));
  if (tag === undefined) return put(undefined);
  try {
    return await put({ 'X-Base-Version': tag });
  } catch (error) {
    if (!isWithoutLog(error)) throw error;
    return put({ 'If-Match': tag });
  }
}

/** Whether someone else has changed the asset since its base was read. */
function isOutdated(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 412 || error.code === 'edit_conflict');
}

function invalidateLists(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: ['contents', id, 'history'] });
  void client.invalidateQueries({ queryKey: ['contents', 'title', id] });
  void client.invalidateQueries({ queryKey: ['contents', 'query'] });
  void client.invalidateQueries({ queryKey: ['contents', 'deleted'] });
  void client.invalidateQueries({ queryKey: typeList.queryKey, exact: true });
}
