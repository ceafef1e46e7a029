/**
 * Saves and deletes an asset, and invalidates the cached queries that depend on it.
 */
import { useQueryClient } from '@tanstack/react-query';
import { admin, answer, answerWithTag, type ContentType } from '../../../api.ts';
import { typeList } from '../../../parts/data/lists.ts';
import { assetById } from '../../../parts/data/use-assets.ts';
import { useAction } from '../../../parts/forms/use-action.ts';
import type { DraftObject } from '../draft/draft.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';

/** The body of a save and the draft it was made from, which shows what was changed since. */
export interface Save {
  readonly body: Record<string, unknown>;
  readonly draft: DraftObject;
}

/** Saves an asset: creates it when `stored` is absent, otherwise sends its changes. */
export function useSaveAsset(
  type: ContentType,
  {
    stored,
    onSaved,
    onError,
  }: { stored: StoredAsset | undefined; onSaved: (saved: StoredAsset) => void; onError: () => void },
) {
  const client = useQueryClient();
  const save = ({ body }: Save): Promise<StoredAsset> => {
    if (!stored) return answerWithTag(admin.createContent({ body: { _type: type.class, ...body } }));
    return answerWithTag(
      admin.updateContent({ path: { id: stored.data._id }, body, headers: ifMatch(stored) }),
    );
  };
  return useAction(save, {
    onError,
    onSuccess: (saved) => {
      client.setQueryData(assetById(saved.data._id).queryKey, { data: saved.data, tag: saved.tag });
      void client.invalidateQueries({ queryKey: ['contents', 'query'] });
      void client.invalidateQueries({ queryKey: typeList.queryKey, exact: true });
      onSaved(saved);
    },
  });
}

/** Deletes an asset if it has not changed since it was read. */
export function useDeleteAsset(): (stored: StoredAsset) => Promise<void> {
  const client = useQueryClient();
  return async (stored) => {
    const { _id: id } = stored.data;
    await answer(admin.deleteContent({ path: { id }, headers: ifMatch(stored) }));
    void client.invalidateQueries({ queryKey: assetById(id).queryKey, refetchType: 'none' });
    void client.invalidateQueries({ queryKey: ['contents', 'query'] });
    void client.invalidateQueries({ queryKey: typeList.queryKey, exact: true });
  };
}

const ifMatch = ({ tag }: StoredAsset) => (tag === undefined ? {} : { 'If-Match': tag });
