/**
 * The state of an asset's form: the stored asset, the draft, the changes and the errors.
 */

import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Asset, ContentType, Place } from '../../../api.ts';
import { shapesOf } from '../../../parts/data/scalar-views.ts';
import { unfitFields } from '../../../parts/data/unfit.ts';
import { type Draft, type DraftObject, isSameDraft, toDraftObject } from './draft.ts';
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
    /**
     * Puts changes that were made earlier on top of what the form has. If others have changed one of these fields since the state
     * `began`, the form goes back to that state, so that the next save asks which value to keep.
     */
    restore: (changes: DraftObject, began: StoredAsset | undefined) =>
      setState((state) => {
        const next = began && isOvertaken(changes, begin(began).base, state.base) ? begin(began) : state;
        const typed = Object.entries(state.draft).filter(
          ([name, value]) => !isSameDraft(state.base[name], value),
        );
        return { ...next, draft: { ...next.draft, ...Object.fromEntries(typed), ...changes } };
      }),
    /** Takes `present` as the stored asset. The values of fields that are `mine` stay in the draft, all others are replaced. */
    adopt: (present: StoredAsset | undefined, isMine: IsMine = () => false) =>
      setState((state) => {
        const next = begin(present);
        const kept = Object.entries(state.draft).filter(([name, value]) => isMine(name, value));
        return { ...next, draft: { ...next.draft, ...Object.fromEntries(kept) } };
      }),
  };
}

/** Whether one of the changed fields has another value than it had, and not the one that it was changed to. */
function isOvertaken(changes: DraftObject, began: DraftObject, present: DraftObject): boolean {
  return Object.entries(changes).some(
    ([name, value]) => !isSameDraft(began[name], present[name]) && !isSameDraft(value, present[name]),
  );
}

/** The fields; absent while they are not known, and of a new asset. */
export interface UnfitFieldsState {
  readonly items: readonly Place[] | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Checks the stored state of an asset. After a save it checks the new one, and shows the former result until then. */
export function useUnfitFields(stored: StoredAsset | undefined, release: string | null): UnfitFieldsState {
  const { data, error, refetch } = useQuery({
    ...unfitFields({ id: stored?.data._id ?? '', tag: stored?.tag, release }),
    enabled: stored !== undefined,
    placeholderData: (former) => former,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  });
  return { items: data?.items, error, refetch };
}
