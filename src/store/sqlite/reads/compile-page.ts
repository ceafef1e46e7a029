/**
 * Compiles the select that locates the documents of one page. The inner select finds keys, in indexes where possible; the outer
 * one looks up the rows of the page only. `read-documents.ts` reads the documents.
 *
 * SQLite's planner makes two bad choices: it walks a whole type in order of `id` instead of sorting the few rows that an index
 * on a field finds, and it sorts a whole type instead of walking a field's index in order. The SQL forces the better choice: a
 * plus sign before a sort term stops the planner from using an index for the order, and INDEXED BY names the index to walk.
 */
import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundPredicate } from '../../../query/ast.ts';
import type { BoundSort } from '../../../query/sort.ts';
import type { Query } from '../connection.ts';
import { indexKey } from '../indexes/field-indexes.ts';
import type { StoredType, StoredTypes } from '../indexes/stored-types.ts';
import { idIndexOf, tableOf } from '../indexes/type-tables.ts';
import { chooseSparsest, chooseWay, type IndexWay, listWays } from './bounded/index-ways.ts';
import type { RowOptions } from './compile-path.ts';
import { type Conditions, createConditions } from './compile-predicate.ts';
import { quoteText, reachValues, typedValue, valueKind, valueSteps } from './document-path.ts';
import { type OrderPlan, planOrder, termsOf } from './plan-order.ts';
import { selectByWords } from './word-search.ts';

/** One type of a search. `rows` compiles FROM and WHERE of a select of the matching rows. */
interface TypePart {
  readonly type: StoredType;
  readonly rows: (options?: RowOptions) => string;
}

/** The assets to find and their order. */
interface Selection {
  readonly where: BoundPredicate;
  readonly sort: BoundSort;
  readonly parts: readonly StoredType[];
  readonly types: StoredTypes;
}

/** The part of the order that a page is, and whether the values that it is sorted by are selected too. */
interface PageRange {
  readonly limit: number;
  readonly offset: number;
  readonly withValues?: boolean;
}

/** Compiles the query that locates a page, with the columns that `DocumentRequest` documents. */
export function compilePage(selection: Selection, { limit, offset, withValues = false }: PageRange): Query {
  const conditions = createConditions(selection.types);
  const parts = selection.parts.map((type) => compilePart(type, selection, conditions));
  // After the parameters of all conditions, whose number is known only now.
  const { params, tests } = conditions;
  const page = { limit: toInteger(`?${params.length + 1}`), offset: toInteger(`?${params.length + 2}`) };
  const order = orderBy(selection.sort);
  const values = withValues ? selection.sort.map((_, n) => `, sort${n}`) : [];
  const selects = parts.map((select) => select(`${page.limit} + ${page.offset}`));
  return {
    sql: `SELECT key, id, octet_length(document)${values.join('')} FROM (
      ${selects.join(' UNION ALL ')}
      ${order} LIMIT ${page.limit} OFFSET ${page.offset}
    ) CROSS JOIN assets ON key = wanted ${order}`,
    params: [...params, limit, offset],
    tests,
  };
}

/** SQL of the select from one type; `end` is SQL for the greatest number of its assets that the page can need. */
type PartSelect = (end: string) => string;

function compilePart(
  type: StoredType,
  { where, sort, types }: Selection,
  conditions: Conditions,
): PartSelect {
  const plan = planOrder({ sort, where, type });
  const search = { type, types, terms: termsOf(where), readsDocuments: readsDocuments(sort, type) };
  const sorted = plan.kind === 'sort' ? listWays(search, conditions) : [];
  if (sorted.length > 0) return (end) => selectByWays(sorted, { type, sort, end });
  const isWalkById = plan.kind === 'walk' && !plan.index && isById(sort);
  // The walk begins at the `_id` of such a term, whichever index it follows.
  const ways = isWalkById ? listWays(search, conditions).filter(({ isOfId }) => !isOfId) : [];
  const part = { type, rows: (options?: RowOptions) => conditions.compile(where, type, options) };
  if (plan.kind === 'weigh') {
    // Adds all parameters, before those of the page.
    part.rows();
    return (end) => selectEitherWay(plan, { part, sort, conditions, end });
  }
  const walk = selectOneWay(plan, part, sort);
  // A walk by `id` follows the index of one term, which may have many more entries than that of another.
  return ways.length > 1 ? (end) => selectByWays(ways, { type, sort, end, walk }) : () => walk;
}

/** Hides a limit from the planner, which would otherwise plan by its value and prepare the statement again for every page. */
const toInteger = (param: string) => `CAST(${param} AS INTEGER)`;

function orderBy(sort: BoundSort): string {
  const keys = sort.map(({ descending }, index) => `sort${index}${descending ? ' DESC' : ''}`);
  return `ORDER BY ${keys.join(', ')}`;
}

const isById = (sort: BoundSort) => sort.every(({ path }) => isOfRow(path));

const isDescendingById = (sort: BoundSort) =>
  sort.some(({ path, descending }) => path.leaf.kind === 'id' && descending);

interface WaysPart {
  readonly type: StoredType;
  readonly sort: BoundSort;
  readonly end: string;
  /** The select that returns all matching assets in order of `id`, without visiting all of them for a page. */
  readonly walk?: string;
}

/**
 * Compiles the select of the assets that the index with the fewest entries finds. If each has many, a page in order of `id` walks an
 * index that has this order, or `walk` takes its place when none has.
 */
function selectByWays(ways: readonly IndexWay[], { type, sort, end, walk }: WaysPart): string {
  const selects = ways.map(({ rows, id }) => {
    const terms = sort.map(({ path }) => (path.leaf.kind === 'id' ? id : sortTerm(path, type)));
    return `SELECT wanted, ${terms.map((term, n) => `${term} AS sort${n}`).join(', ')} ${rows}`;
  });
  if (selects.length === 1) return selects.join();
  const sparsest = walk && chooseSparsest(ways, isDescendingById(sort));
  const all = walk && !sparsest ? [...selects, walk] : selects;
  const chosen = all.map(
    (select, n) =>
      `SELECT * FROM (${select} ${orderBy(sort)} LIMIT iif((SELECT n FROM choice) = ${n}, ${end}, 0))`,
  );
  const choice = chooseWay(ways, walk && (sparsest ?? String(ways.length)));
  return `SELECT * FROM (WITH ${choice} ${chosen.join(' UNION ALL ')})`;
}

type SinglePlan = Exclude<OrderPlan, { kind: 'weigh' }>;

function selectOneWay(plan: SinglePlan, { type, rows }: TypePart, sort: BoundSort): string {
  const terms = sort.map(({ path }) => columnOf(path, type) ?? sortTerm(path, type));
  const readsDocument = readsDocuments(sort, type);
  return plan.kind === 'walk'
    ? `${columns(terms)} ${rows({ by: plan.index?.name, readsDocument })}`
    : `${columns(terms.map((term) => `+${term}`))} ${rows({ readsDocument })}`;
}

const columnOf = (path: FieldPath, type: StoredType) => type.indexes.get(indexKey(path))?.column;

/** Whether a value to sort by is in the documents alone. */
export const readsDocuments = (sort: BoundSort, type: StoredType) =>
  sort.some(({ path }) => !isOfRow(path) && columnOf(path, type) === undefined);

const isOfRow = ({ leaf }: FieldPath) => leaf.kind === 'id' || leaf.kind === 'type';

type WeighedPlan = Extract<OrderPlan, { kind: 'weigh' }>;

interface WeighedPart {
  readonly part: TypePart;
  readonly sort: BoundSort;
  readonly conditions: Conditions;
  /** SQL for the greatest number of assets of this type that the page can need. */
  readonly end: string;
}

/**
 * Compiles both ways to get the order; the statement chooses one when it runs, and the other has the limit 0.
 *
 * Sorting reads every document that the index finds. Walking reads only two indexes, but at worst those of the whole type. So
 * the statement walks when the index finds more than one asset in eight, and sorts otherwise. The walk by `id` reads the
 * documents on its way: about eight for each match, and no more for a later page.
 */
function selectEitherWay(
  { index, found, rest }: WeighedPlan,
  { part, sort, conditions, end }: WeighedPart,
): string {
  const { type } = part;
  const keys =
    (found.kind === 'words' ? selectByWords(found, { type, collect: conditions }) : undefined) ??
    `SELECT key ${conditions.compile(found, type)}`;
  const isManyFound = `EXISTS (SELECT 1 FROM (${keys})
    LIMIT 1 OFFSET (SELECT total / 8 FROM types WHERE number = ${type.number}))`;
  const rows = (options?: RowOptions) => `${conditions.compile(rest, type, options)} AND key IN (${keys})`;
  const walk = index
    ? selectOneWay({ kind: 'walk', index }, { type, rows }, sort)
    : `${columns(['id'])} ${part.rows({ by: idIndexOf(type.number) })}`;
  const sorted = selectOneWay({ kind: 'sort' }, part, sort);
  return `SELECT * FROM (${walk} ${orderBy(sort)} LIMIT iif(${isManyFound}, ${end}, 0))
    UNION ALL SELECT * FROM (${sorted} ${orderBy(sort)} LIMIT iif(${isManyFound}, 0, ${end}))`;
}

const columns = (terms: readonly string[]) =>
  `SELECT key AS wanted, ${terms.map((term, index) => `${term} AS sort${index}`).join(', ')}`;

/** Returns SQL for the value to sort the row by whose key is `wanted`. An absent value is NULL, the least value in SQLite and in the query language. */
export function sortTerm(path: FieldPath, type: StoredType): string {
  if (path.leaf.kind === 'id') return 'id';
  if (path.leaf.kind === 'type') return quoteText(type.class);
  const column = columnOf(path, type);
  if (column !== undefined)
    return `(SELECT entry.${column} FROM ${tableOf(type.number)} AS entry WHERE entry.key = wanted)`;
  const kind = valueKind(path.leaf);
  if (kind === undefined) throw new Error(`Nothing can be sorted by ${path.text}`);
  return typedValue(reachValues('document', valueSteps(path)).value, kind);
}
