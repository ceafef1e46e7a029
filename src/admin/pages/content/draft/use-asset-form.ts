/**
 * Runs an asset's form: editing, saving and reloading.
 */
import { useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useRef, useState } from 'react';
import { ApiProblem, type ContentType } from '../../../api.ts';
import { assetById } from '../../../parts/data/use-assets.ts';
import { useSaveAsset } from '../asset/save-asset.ts';
import { findMessages } from './find-messages.ts';
import { type StoredAsset, useAssetDraft } from './use-asset-draft.ts';

/** Runs the form of the asset `begun`, or of a new one when it is absent. `onCreated` is called once the new asset is stored. */
export function useAssetForm(
  type: ContentType,
  { begun, onCreated }: { begun: StoredAsset | undefined; onCreated: (created: StoredAsset) => void },
) {
  const client = useQueryClient();
  const formRef = useRef<HTMLFormElement>(null);
  const [isJudged, setIsJudged] = useState(false);
  const asset = useAssetDraft(type, begun);
  const { stored, draft, changed, flaws } = asset;
  // The inputs are marked only once they are drawn again.
  const focusFirstFlaw = () =>
    requestAnimationFrame(() =>
      formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
    );
  const save = useSaveAsset(type, {
    stored,
    onError: focusFirstFlaw,
    onSaved: (saved) => (stored ? restart(saved) : onCreated(saved)),
  });
  const restart = (present: StoredAsset | undefined) => {
    asset.restart(present);
    setIsJudged(false);
    save.reset();
  };
  // What was wrong with another draft is no news; that somebody else was quicker remains so.
  const isStanding = save.variables?.draft === draft || isConflict(save.error);
  return {
    ...asset,
    formRef,
    isSaving: save.isPending,
    error: isStanding ? save.error : null,
    flawCount: isJudged ? flaws.length : 0,
    messages: findMessages({
      type,
      draft,
      changed,
      flaws,
      isJudged,
      error: save.error,
      saved: save.variables,
    }),
    submit: (event: SyntheticEvent) => {
      event.preventDefault();
      setIsJudged(true);
      if (flaws.length > 0) focusFirstFlaw();
      else save.run({ body: asset.toBody(), draft });
    },
    discard: () => restart(stored),
    reload: async () => {
      if (stored) restart(await client.fetchQuery(assetById(stored.data._id)));
    },
  };
}

/** The form that its components receive. */
export type AssetFormState = ReturnType<typeof useAssetForm>;

function isConflict(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 412;
}
