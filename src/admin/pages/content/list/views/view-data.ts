/**
 * Reads saved views, and makes one fit the type of today.
 */
import { queryOptions } from '@tanstack/react-query';
import { admin, answer, type ContentType, type SavedView } from '../../../../api.ts';
import { fieldPaths } from '../../../../parts/data/field-paths.ts';
import { isSortable, listColumns, titleColumn } from '../columns.ts';
import { joinConditions, splitConditions } from '../filter/conditions.ts';
import { readListQuery, writeListQuery } from '../list-query.ts';

/** What a list shows, as a view keeps it. */
export interface ShownList {
  readonly type: ContentType;
  readonly query: string;
  /** The chosen columns; undefined for the usual ones. */
  readonly columns: readonly string[] | undefined;
}

/** The saved views of a type that the user sees, as `{ items }`. */
export const savedViews = (type: string) =>
  queryOptions({
    queryKey: ['views', type],
    queryFn: () => answer(admin.listViews({ query: { type } })),
  });

/** What a view shows today. `lost` names what its type no longer has. */
export interface FittingView {
  readonly parameters: URLSearchParams;
  /** Absent means the usual columns. */
  readonly columns?: readonly string[];
  readonly lost: readonly string[];
}

/** Leaves out the columns, the order and the filters by fields that the type no longer has. */
export function fitView(type: ContentType, view: Pick<SavedView, 'query' | 'columns'>): FittingView {
  const query = readListQuery(new URLSearchParams(view.query), type.class);
  const all = listColumns(type);
  const title = titleColumn(type);
  const paths = fieldPaths(type, { withLists: true }).map(({ path }) => path);
  const sortable = [...all, ...(title ? [title] : [])].filter(isSortable).map(({ path }) => path);
  const isKnown = (path: string) => all.some((column) => column.path === path);
  const isSound = (condition: string) => {
    const path = fieldOf(condition);
    if (path === undefined || path.startsWith('_') || path.includes('/')) return true;
    return paths.some((each) => each === path || each.startsWith(`${path}.`));
  };
  const conditions = splitConditions(query.where);
  const fitting = {
    ...query,
    where: joinConditions(conditions.filter(isSound)),
    sort: query.sort.filter(({ field }) => sortable.includes(field)),
    offset: 0,
  };
  const columns = view.columns?.filter(isKnown);
  const lost = [
    ...conditions.filter((condition) => !isSound(condition)).map((condition) => `the filter ${condition}`),
    ...query.sort.filter((key) => !fitting.sort.includes(key)).map(({ field }) => `the order by ${field}`),
    ...(view.columns ?? []).filter((path) => !isKnown(path)).map((path) => `the column ${path}`),
  ];
  return { parameters: writeListQuery(fitting), ...(columns && { columns }), lost };
}

/** The field that a condition begins with; undefined for another predicate, which the server checks. */
function fieldOf(condition: string): string | undefined {
  const [, quoted, plain] = /^(?:"([^"]+)"|([\p{L}_][\p{L}\p{M}\p{N}_./-]*)) /su.exec(condition) ?? [];
  return quoted ?? (plain !== undefined && /^not$/i.test(plain) ? undefined : plain);
}

/** The present address of a list as a view keeps it: without the page. */
export function queryToSave(parameters: URLSearchParams, type: ContentType): string {
  return String(writeListQuery({ ...readListQuery(parameters, type.class), offset: 0 }));
}
