/**
 * The columns of an asset list: which there can be, and which are shown unless the user has chosen others.
 */
import { useMemo, useState } from 'react';
import type { Asset, ContentType, Field } from '../../../api.ts';
import { browserValues } from '../../../kept-values.ts';
import { fullLabelOf, isSystemField, labelOfPath } from '../../../parts/data/field-label.ts';
import { type FieldPath, fieldPaths } from '../../../parts/data/field-paths.ts';
import { isTime, viewOf } from '../../../parts/data/scalar-views.ts';
import { useSession } from '../../../session.ts';

/** A column shows a field. */
export type Column = FieldPath;

/** The field of the last change. */
export const updated = 'cms.content.updateDate';

const maxColumns = 6;

/** All columns that a list of a type can have, besides the one of the title. */
export function listColumns(type: ContentType): Column[] {
  const columns = fieldPaths(type).filter(
    ({ path, field, isInList }) => isShort(field) && path !== type.titleField && !isInList,
  );
  return type.titleField === undefined ? columns : [...columns, idColumn];
}

/** The IDs, for those who ask for them. */
const idColumn: Column = {
  path: '_id',
  steps: ['_id'],
  field: {
    name: '_id',
    graphqlName: '_id',
    label: 'ID',
    type: { kind: 'scalar', name: 'ID' },
    list: false,
    required: true,
    constraint: {},
  },
  isInList: false,
};

/** The column of the title, if a field names assets. */
export const titleColumn = (type: ContentType): Column | undefined =>
  fieldPaths(type).find(({ path }) => path === type.titleField);

/**
 * The columns to begin with: required, indexed, date and reference fields, last the date of the last change. A slug, which repeats the title,
 * is shown where there is room.
 */
function chooseColumns(type: ContentType): Column[] {
  const rankOf = ({ field }: Column) => {
    if (field.name === 'slug' || isSystemField(field)) return 4;
    if (field.required) return 0;
    if (field.type.kind === 'reference') return field.indexed ? 3 : 5;
    if (field.indexed) return 1;
    return isTime(field.type) ? 2 : 5;
  };
  const all = listColumns(type).filter(
    ({ steps, field }) => steps.length === 1 && !field.list && field !== idColumn.field,
  );
  const last = all.filter(({ path }) => path === updated);
  const ranked = all
    .filter((column) => column.path !== updated && rankOf(column) < 5)
    .sort((one, other) => rankOf(one) - rankOf(other));
  return [...ranked.slice(0, maxColumns - 1 - last.length), ...last];
}

/** Names a field as the form does, with what it belongs to: `Place, Country`. */
export const nameOfColumn = (type: ContentType, { path, steps, field }: Column): string =>
  steps.length > 1 ? labelOfPath(type, path) : fullLabelOf(field);

/** The value of a column in an asset. */
export function valueIn(asset: Asset, { steps }: Column): unknown {
  return steps.reduce<unknown>(
    (value, step) =>
      // An object has members; what is no object has none.
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined,
    asset,
  );
}

/** Whether assets can be ordered by a column. */
export const isSortable = ({ field }: Column) => !field.list;

/** Whether a value of the field fits a cell. */
function isShort({ type }: Field): boolean {
  const view = viewOf(type);
  return view !== 'richText' && view !== 'json';
}

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
