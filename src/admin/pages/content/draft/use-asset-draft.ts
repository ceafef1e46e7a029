/**
 * The state of an asset's form: the stored asset, the draft, the changes and the errors.
 */
import { useMemo, useState } from 'react';
import type { Asset, ContentType } from '../../../api.ts';
import { shapesOf } from '../../../parts/data/shapes.ts';
import { type Draft, isSameDraft, toDraftObject } from './draft.ts';
import { orNoDefault, readField } from './read-draft.ts';

/** A stored asset with its entity tag, which the next change sends back. */
export interface StoredAsset {
  readonly data: Asset;
  readonly tag: string | undefined;
}

/** Whether the draft keeps the value that a field has in it. */
export type IsMine = (name: string, value: Draft) => boolean;

/** Holds the draft of an asset; of a new one when `begun` is absent, which may begin as a copy with the fields `copied`. */
export function useAssetDraft(
  type: ContentType,
  begun: StoredAsset | undefined,
  copied?: Readonly<Record<string, unknown>>,
) {
  const shapes = useMemo(() => shapesOf(type), [type]);
  const begin = (stored: StoredAsset | undefined) => {
    const base = toDraftObject(type.fields, stored?.data, shapes);
    return { stored, base, draft: base };
  };
  const [{ stored, base, draft }, setState] = useState(() => {
    const state = begin(begun);
    return copied ? { ...state, draft: toDraftObject(type.fields, copied, shapes) } : state;
  });
  const changed = type.fields.filter(({ name }) => !isSameDraft(base[name], draft[name]));
  // What is stored already is not sent again, so it is not checked either.
  const sent = (stored ? changed : type.fields).map((field) => ({
    field,
    ...readField(field, draft[field.name], { path: field.name, shapes }),
  }));
  return {
    stored,
    base,
    draft,
    shapes,
    changed: new Set(changed.map(({ name }) => name)),
    flaws: sent.flatMap(({ flaws }) => flaws),
    /** The body of a save: all fields of a new asset, otherwise the changed ones, with null for those to clear. */
    toBody: () =>
      Object.fromEntries(
        sent.flatMap(({ field, value }) => {
          const whole = value === undefined && stored ? null : orNoDefault(field, value);
          return whole === undefined ? [] : [[field.name, whole]];
        }),
      ),
    change: (name: string, value: Draft) =>
      setState((state) => ({ ...state, draft: { ...state.draft, [name]: value } })),
    /** Takes `present` as the stored asset. The values of fields that are `mine` stay in the draft, all others are replaced. */
    adopt: (present: StoredAsset | undefined, isMine: IsMine = () => false) =>
      setState((state) => {
        const next = begin(present);
        const kept = Object.entries(state.draft).filter(([name, value]) => isMine(name, value));
        return { ...next, draft: { ...next.draft, ...Object.fromEntries(kept) } };
      }),
  };
}
