/**
 * Keeps the draft of a form in the browser while it is not saved, and offers it again.
 */
import { useMemo, useRef } from 'react';
import type { ContentType } from '../../../api.ts';
import { labelOfPath } from '../../../parts/data/field-label.ts';
import { CopyField } from '../../../parts/layout/copy-field.tsx';
import { UnsavedStrip } from '../../../parts/unsaved/unsaved-strip.tsx';
import { type Unsaved, useUnsaved } from '../../../parts/unsaved/use-unsaved.ts';
import { type Draft, isDraftList, isDraftObject, isUploading } from './draft.ts';
import type { StoredAsset } from './use-asset-draft.ts';
import type { AssetFormState } from './use-asset-form.ts';

/** The fields of a draft that have changed, and the state that it began with. */
export interface KeptDraft {
  /** The fields of the type, which may be others by now. */
  readonly shape: string;
  readonly stored: StoredAsset | undefined;
  /** Null stands for a field without a value. */
  readonly changes: readonly (readonly [string, Draft | null])[];
}

/** Names an asset in a release among all that the user can edit: its ID, or `new`. */
export const toPlace = (release: string | null, asset: string): string => `${release ?? ''} ${asset}`;

/** Keeps what was typed into the form of the asset at a place. */
export function useUnsavedDraft(type: ContentType, form: AssetFormState, place: string): Unsaved {
  const { stored, draft, changed } = form;
  const first = useRef(draft);
  const kept = useMemo(
    (): KeptDraft | undefined =>
      draft === first.current || changed.size === 0
        ? undefined
        : {
            shape: shapeOf(type),
            stored,
            changes: [...changed]
              .filter((name) => !isUploading(draft[name]))
              .map((name) => [name, withoutUploads(draft[name]) ?? null]),
          },
    [type, stored, draft],
  );
  return useUnsaved(`${type.class} ${place}`, kept?.changes.length === 0 ? undefined : kept);
}

/** The offer, if there is one. */
export function UnsavedOffer({
  type,
  form,
  unsaved: { offered, settle },
}: {
  type: ContentType;
  form: AssetFormState;
  unsaved: Unsaved;
}) {
  if (!offered) return null;
  // Safe: `useUnsavedDraft` has kept it. The shape is that of all its values.
  const { shape, stored, changes } = offered.value as KeptDraft;
  const names = changes.map(([name]) => name);
  const labels = names.map((name) => labelOfPath(type, name)).join(', ');
  const drop = () => settle(offered, false);
  if (shape !== shapeOf(type))
    return (
      <UnsavedStrip at={offered.at} onDiscard={drop}>
        The content type has changed since, so they cannot be put into the form. Copy from here what you need.
        <CopyField
          label="Unsaved values"
          text={JSON.stringify(Object.fromEntries(changes), null, 2)}
          maxHeight={240}
        />
      </UnsavedStrip>
    );
  const typed = names.filter((name) => form.changed.has(name)).map((name) => labelOfPath(type, name));
  const restore = () => {
    form.restore(Object.fromEntries(changes.map(([name, value]) => [name, value ?? undefined])), stored);
    settle(offered, true);
  };
  return (
    <UnsavedStrip at={offered.at} onRestore={restore} onDiscard={drop}>
      This browser has kept them: {labels}.
      {stored &&
        stored.tag !== form.stored?.tag &&
        ' The asset has been saved since; nothing of that is lost.'}
      {typed.length > 0 && ` Restoring replaces what you have typed now in ${typed.join(', ')}.`}
    </UnsavedStrip>
  );
}

/** Names what the inputs depend on. */
const shapeOf = ({ fields, embeddedTypes }: ContentType) =>
  JSON.stringify([fields, embeddedTypes], (key, value) =>
    ['description', 'label', 'group', 'deprecated', 'constraint', 'default'].includes(key)
      ? undefined
      : value,
  );

/** Leaves out files that are being uploaded, which the next page cannot finish. */
function withoutUploads(draft: Draft): Draft {
  if (isDraftList(draft))
    return draft
      .filter(({ value }) => !isUploading(value))
      .map(({ key, value }) => ({ key, value: withoutUploads(value) }));
  if (!isDraftObject(draft)) return draft;
  return Object.fromEntries(
    Object.entries(draft).map(([name, value]) => [
      name,
      isUploading(value) ? undefined : withoutUploads(value),
    ]),
  );
}
