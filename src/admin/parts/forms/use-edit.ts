/**
 * What is typed into a form, apart from what is stored. When the resource is read again, the form shows the new fields with the changes on
 * top.
 */
import { useMemo, useState } from 'react';
import { isSameValue, type Members } from '../difference/same-value.ts';
import type { FormOptions, NameOf } from './form-options.ts';

/** The fields as they are stored and as they are typed. */
export interface Edit<Fields> {
  readonly stored: Fields;
  /** What was stored when the changes began. */
  readonly base: Fields;
  readonly changes: Partial<Fields>;
  readonly fields: Fields;
  /** The names of the changed fields. */
  readonly names: readonly NameOf<Fields>[];
  readonly change: (some: Partial<Fields>) => void;
  /** Leaves out the changes that were saved. What was typed during the save is not saved yet. */
  readonly leaveOut: (saved: Fields) => void;
  /** Replaces all changes by changes of another stored state. */
  readonly adopt: (base: Fields, changes: Partial<Fields>) => void;
}

/** The state of what is typed; a field that is typed back is not changed. */
export function useEdit<Data, Fields extends { readonly name: string }>({
  seen,
  blank,
  toFields,
  toBody,
}: Pick<FormOptions<Data, Fields, string>, 'seen' | 'blank' | 'toFields' | 'toBody'>): Edit<Fields> {
  const [known, setKnown] = useState(() => ({
    seen,
    stored: seen ? toFields(seen.data, undefined) : blank,
  }));
  const { stored } = known;
  const [{ base = stored, changes }, setEdit] = useState<{ base?: Fields; changes: Partial<Fields> }>({
    changes: {},
  });
  const fields = useMemo(() => ({ ...stored, ...changes }), [stored, changes]);
  if (seen && seen !== known.seen) setKnown({ seen, stored: toFields(seen.data, fields) });
  const isStored = (name: NameOf<Fields>, value: unknown) =>
    isSameValue(toBody({ ...stored, [name]: value }), toBody(stored));
  return {
    stored,
    base,
    changes,
    fields,
    names: namesOf(changes),
    change: (some) => {
      const given = pick(
        some,
        namesOf(some).filter((name) => some[name] !== fields[name]),
      );
      setEdit((before) => {
        const all = { ...before.changes, ...given };
        const open = namesOf(all).filter((name) => !isStored(name, all[name]));
        const isBegun = namesOf(before.changes).length > 0;
        return { base: (isBegun && before.base) || stored, changes: pick(all, open) };
      });
    },
    leaveOut: (saved) =>
      setEdit((before) => {
        const open = namesOf(before.changes).filter(
          (name) => !isSameValue(before.changes[name], saved[name]),
        );
        return { changes: pick(before.changes, open) };
      }),
    adopt: (base, changes) => setEdit({ base, changes }),
  };
}

/** Some members of an object. */
export function pick<Fields extends object>(
  from: Partial<Fields>,
  names: readonly NameOf<Fields>[],
): Partial<Fields> {
  // Safe: these are members of the object.
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<Fields>;
}

// Safe: the members of changes are fields.
const namesOf = <Fields extends object>(changes: Partial<Fields>) =>
  Object.keys(changes) as (keyof Fields)[] as readonly NameOf<Fields>[];

/** What is sent of the fields of some names; null clears. */
export const bodyOf = (body: Members, names: readonly string[]): Members =>
  Object.fromEntries(names.map((name) => [name, body[name] ?? null]));
