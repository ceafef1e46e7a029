/**
 * The columns that a user has chosen for a type, which the browser keeps.
 */
import { useMemo, useState } from 'react';
import type { ContentType } from '../../../api.ts';
import { browserValues } from '../../../kept-values.ts';
import { useSession } from '../../../session.ts';
import { type Column, chooseColumns, listColumns } from './columns.ts';

/** The columns to show; `choose` keeps others, and without a list goes back to the first choice. */
export interface ChosenColumns {
  readonly all: readonly Column[];
  readonly shown: readonly Column[];
  /** The paths that the user has chosen; absent for the first choice. */
  readonly chosen: readonly string[] | undefined;
  readonly choose: (paths: readonly string[] | undefined) => void;
}

/** Reads the columns of the signed-in user. Columns of fields that no longer exist are left out. */
export function useColumns(type: ContentType): ChosenColumns {
  const key = `colophon.columns.${useSession()?.user.id ?? ''}.${type.class}`;
  const [kept, setKept] = useState(() => read(key));
  const all = useMemo(() => listColumns(type), [type]);
  const shown = useMemo(
    () =>
      kept ? kept.flatMap((path) => all.find((column) => column.path === path) ?? []) : chooseColumns(type),
    [kept, all, type],
  );
  return {
    all,
    shown,
    chosen: kept,
    choose: (paths) => {
      setKept(paths);
      if (paths) browserValues.set(key, JSON.stringify(paths));
      else browserValues.remove(key);
    },
  };
}

function read(key: string): readonly string[] | undefined {
  const kept = browserValues.getJson(key);
  return Array.isArray(kept) && kept.every((path) => typeof path === 'string') ? kept : undefined;
}
