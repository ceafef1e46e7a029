/**
 * The columns that a user has chosen for a type, which the browser keeps.
 */
import { useMemo, useState } from 'react';
import type { ContentType } from '../../../api.ts';
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
      write(key, paths);
    },
  };
}

function read(key: string): readonly string[] | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return Array.isArray(kept) && kept.every((path) => typeof path === 'string') ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Without room in the browser, the choice holds until the page is left. */
function write(key: string, paths: readonly string[] | undefined): void {
  try {
    if (paths) localStorage.setItem(key, JSON.stringify(paths));
    else localStorage.removeItem(key);
  } catch {}
}
