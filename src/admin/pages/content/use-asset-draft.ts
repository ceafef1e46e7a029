/**
 * The state of an asset's form: what is stored, what is typed, what changed, and what is wrong with it.
 */
import { useMemo, useState } from 'react';
import type { Asset, ContentType } from '../../api.ts';
import { type Draft, isSameDraft, shapesOf, toDraftObject } from './draft.ts';
import { readField } from './read-draft.ts';

/** An asset as the server has it, with the tag its next change is to name. */
export interface StoredAsset {
  readonly data: Asset;
  readonly tag: string | undefined;
}

/** Holds the draft of an asset of a type; without `begun`, of a new one. */
export function useAssetDraft(type: ContentType, begun: StoredAsset | undefined) {
  const shapes = useMemo(() => shapesOf(type), [type]);
  const begin = (stored: StoredAsset | undefined) => {
    const base = toDraftObject(type.fields, stored?.data, shapes);
    return { stored, base, draft: base };
  };
  const [{ stored, base, draft }, setState] = useState(() => begin(begun));
  const changed = type.fields.filter(({ name }) => !isSameDraft(base[name], draft[name]));
  // What is stored already is not sent again, so it is not judged either.
  const sent = (stored ? changed : type.fields).map((field) => ({
    name: field.name,
    ...readField(field, draft[field.name], { path: field.name, shapes }),
  }));
  return {
    stored,
    draft,
    shapes,
    changed: new Set(changed.map(({ name }) => name)),
    flaws: sent.flatMap(({ flaws }) => flaws),
    /** The body of the save: of a new asset what is there, otherwise what changed, with null for what is to go. */
    toBody: () =>
      Object.fromEntries(
        sent.flatMap(({ name, value }) => {
          if (value === undefined) return stored ? [[name, null]] : [];
          return [[name, value]];
        }),
      ),
    change: (name: string, value: Draft) =>
      setState((state) => ({ ...state, draft: { ...state.draft, [name]: value } })),
    /** Begins anew with what the server has now. */
    restart: (present: StoredAsset | undefined) => setState(begin(present)),
  };
}
