/**
 * Keeps the draft of a form in the browser while it is not saved, and offers it again.
 */
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { ContentType } from '../../../api.ts';
import { labelOfPath } from '../../../parts/data/field-label.ts';
import { CopyField } from '../../../parts/layout/copy-field.tsx';
import { UnsavedStrip } from '../../../parts/unsaved/unsaved-strip.tsx';
import { type Unsaved, useUnsaved } from '../../../parts/unsaved/use-unsaved.ts';
import { type Draft, isDraftList, isDraftObject, isUploading, textsOf } from './draft.ts';
import type { StoredAsset } from './use-asset-draft.ts';
import type { AssetFormState } from './use-asset-form.ts';

/** The fields of a draft that have changed, and the state that it began with. */
export interface KeptDraft {
  /** The fields of the type, which may be others by now. */
  readonly shape: string;
  readonly stored: StoredAsset | undefined;
  /** What the user has thrown away; absent of what was typed and not saved. */
  readonly thrownAway?: string;
  /** Null stands for a field without a value. */
  readonly changes: readonly (readonly [string, Draft | null])[];
}

/** Names an asset in a release among all that the user can edit: its ID, or `new`. */
export const toPlace = (release: string | null, asset: string): string => `${release ?? ''} ${asset}`;

/** What is kept of a form, and how it keeps what the user throws away. */
export interface UnsavedDraft extends Unsaved {
  /** Drops what is kept once the asset is stored there. What the user has thrown away is offered at that place. */
  readonly moveTo: (place: string) => void;
  /** Keeps all changes, before the form gives them up. */
  readonly keepDiscarded: () => void;
  /** Keeps the field of a path, before the part with that name is removed from it. */
  readonly keepRemoved: (path: string, name: string) => void;
}

/** Keeps what was typed into the form of the asset at a place. */
export function useUnsavedDraft(type: ContentType, form: AssetFormState, place: string): UnsavedDraft {
  const { stored, draft, changed } = form;
  const first = useRef(draft);
  const keep = (names: readonly string[]): KeptDraft => ({
    shape: shapeOf(type),
    stored,
    changes: names
      .filter((name) => !isUploading(draft[name]))
      .map((name) => [name, withoutUploads(draft[name]) ?? null]),
  });
  const kept = useMemo(
    (): KeptDraft | undefined =>
      draft === first.current || changed.size === 0 ? undefined : keep([...changed]),
    [type, stored, draft],
  );
  const unsaved = useUnsaved(`${type.class} ${place}`, kept?.changes.length === 0 ? undefined : kept);
  return {
    ...unsaved,
    moveTo: (next) => unsaved.forget(`${type.class} ${next}`),
    keepDiscarded: () => {
      if (changed.size > 0)
        unsaved.setAside({ ...keep([...changed]), thrownAway: 'You have discarded changes' });
    },
    keepRemoved: (path, name) => {
      const [field = path] = path.split(/[.[]/);
      unsaved.setAside({ ...keep([field]), thrownAway: `You have removed ${name}` });
    },
  };
}

/** The offer, if there is one. */
export function UnsavedOffer({
  type,
  form,
  unsaved: { offered, settle, setAside },
}: {
  type: ContentType;
  form: AssetFormState;
  unsaved: UnsavedDraft;
}) {
  if (!offered) return null;
  // Safe: `useUnsavedDraft` has kept it. The shape is that of all its values.
  const { shape, stored, changes, thrownAway } = offered.value as KeptDraft;
  const strip = { at: offered.at, title: thrownAway, onDiscard: () => settle(offered, false) };
  if (shape !== shapeOf(type))
    return (
      <UnsavedStrip {...strip}>
        The content type has changed since, so they cannot be put into the form. Copy from here what you need.
        <CopyField
          label="Unsaved values"
          text={JSON.stringify(Object.fromEntries(changes), null, 2)}
          maxHeight={240}
        />
      </UnsavedStrip>
    );
  const labelsOf = (some: KeptDraft['changes']) => some.map(([name]) => labelOfPath(type, name)).join(', ');
  const replaced = changes.filter(
    ([name, value]) => form.changed.has(name) && losesText(form.draft[name], value ?? undefined),
  );
  const restore = () => {
    if (replaced.length > 0) setAside();
    form.restore(Object.fromEntries(changes.map(([name, value]) => [name, value ?? undefined])), stored);
    settle(offered, true);
  };
  return (
    <UnsavedStrip {...strip} onRestore={restore}>
      {thrownAway !== undefined && <UndoKey onUndo={restore} />}
      This browser has kept them: {labelsOf(changes)}.
      {stored &&
        stored.tag !== form.stored?.tag &&
        ' The asset has been saved since; nothing of that is lost.'}
      {replaced.length > 0 &&
        ` Restoring replaces what you have typed now in ${labelsOf(replaced)}, which is then offered in its turn.`}
    </UnsavedStrip>
  );
}

/** Lets Ctrl+Z, or Cmd+Z, restore what was just thrown away, except within a text, which has its own undo. */
function UndoKey({ onUndo }: { onUndo: () => void }) {
  const undo = useEffectEvent((event: KeyboardEvent) => {
    if (
      event.key.toLowerCase() !== 'z' ||
      !(event.ctrlKey || event.metaKey) ||
      event.altKey ||
      event.shiftKey
    )
      return;
    const { target } = event;
    const isInText =
      target instanceof HTMLElement && target.closest('input, textarea, [contenteditable="true"]');
    if (isInText || document.querySelector('[aria-modal="true"]')) return;
    // The browser would undo in the text that was typed last.
    event.preventDefault();
    onUndo();
  });
  useEffect(() => {
    window.addEventListener('keydown', undo);
    return () => window.removeEventListener('keydown', undo);
  }, []);
  return null;
}

/** Whether a draft has a text that another one lacks. */
function losesText(draft: Draft, other: Draft): boolean {
  const kept = new Set(textsOf(other));
  return textsOf(draft).some((text) => !kept.has(text));
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
