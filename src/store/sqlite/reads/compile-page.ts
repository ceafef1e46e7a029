/**
 * Compiles the select that locates the documents of one page: the inner select finds keys, in indexes where it can, and rows are
 * looked up for the page alone. `read-documents.ts` reads the documents.
 *
 * Left to choose, the planner would rather walk a whole type in order of `id` than sort what an index on a field found, though
 * that is never more than the count has to go through; and it would rather sort a whole type than walk a field's index in
 * order. So it is told: a plus sign hides from it that a term is what an index is in order of, INDEXED BY names the index.
 */
import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundPredicate } from '../../../query/ast.ts';
import type { BoundSort } from '../../../query/sort.ts';
import type { Query } from '../connection.ts';
import type { FieldIndex } from '../indexes/field-indexes.ts';
import type { StoredType } from '../indexes/stored-types.ts';
import { type Conditions, goOn } from './compile-predicate.ts';
import { quoteText, reachValues, typedValue, valueKind, valueSteps } from './document-path.ts';
import { type OrderPlan, planOrder } from './plan-order.ts';

/** One type's share of what is searched for: `condition` tells what matches from all other rows of `assets`. */
export interface TypePart {
  readonly type: StoredType;
  readonly condition: string;
}

/** What to find, and in which order. */
interface Selection {
  readonly where: BoundPredicate;
  readonly sort: BoundSort;
  readonly parts: readonly TypePart[];
  /** Where those of the parts come from. */
  readonly conditions: Conditions;
}

/** The query that locates a page, with the columns that `DocumentRequest` says; `limit` and `offset` count assets. */
export function compilePage(
  { where, sort, parts, conditions }: Selection,
  { limit, offset }: { limit: number; offset: number },
): Query {
  const { params, tests } = conditions;
  const page = { limit: toInteger(`?${params.length + 1}`), offset: toInteger(`?${params.length + 2}`) };
  const order = orderBy(sort);
  const selects = parts.map((part) => {
    const plan = planOrder({ sort, where, type: part.type });
    if (plan.kind !== 'weigh') return selectOneWay(plan, part, sort);
    return selectEitherWay(plan, { part, sort, conditions, end: `${page.limit} + ${page.offset}` });
  });
  return {
    sql: `SELECT key, id, octet_length(document) FROM (
      ${selects.join(' UNION ALL ')}
      ${order} LIMIT ${page.limit} OFFSET ${page.offset}
    ) CROSS JOIN assets ON key = wanted ${order}`,
    params: [...params, limit, offset],
    tests,
  };
}

/** A bare parameter for the limit would be peeked at by the planner, and the statement prepared anew for every page. */
const toInteger = (param: string) => `CAST(${param} AS INTEGER)`;

function orderBy(sort: BoundSort): string {
  const keys = sort.map(({ descending }, index) => `sort${index}${descending ? ' DESC' : ''}`);
  return `ORDER BY ${keys.join(', ')}`;
}

type SinglePlan = Exclude<OrderPlan, { kind: 'weigh' }>;

function selectOneWay(plan: SinglePlan, { type, condition }: TypePart, sort: BoundSort): string {
  const terms = sort.map(({ path }) => sortTerm(path, type));
  return plan.kind === 'walk'
    ? `${columns(terms)} FROM ${assetsBy(plan.index)} WHERE ${condition}${isInOrder(plan, sort) ? '' : ` AND ${goOn}`}`
    : `${columns(terms.map((term) => `+${term}`))} FROM assets WHERE ${condition} AND ${goOn}`;
}

/** Whether rows come in order, so that no document is read to sort them. */
const isInOrder = ({ index }: Extract<OrderPlan, { kind: 'walk' }>, sort: BoundSort) =>
  index !== undefined || sort.every(({ path }) => path.leaf.kind === 'id' || path.leaf.kind === 'type');

type WeighedPlan = Extract<OrderPlan, { kind: 'weigh' }>;

interface WeighedPart {
  readonly part: TypePart;
  readonly sort: BoundSort;
  readonly conditions: Conditions;
  /** SQL for how many assets the page needs of this type, at most. */
  readonly end: string;
}

/**
 * The sort of what an index found reads each document; the walk reads but two indexes, and goes through the whole type at
 * worst. So with more than one asset in eight found it walks, and else it sorts; the way not taken has the limit 0.
 *
 * The walk by `id` reads the documents that it passes, up to eight for each that it finds, and no more for a later page.
 */
function selectEitherWay(
  { index, found, rest }: WeighedPlan,
  { part, sort, conditions, end }: WeighedPart,
): string {
  const { type } = part;
  // Both are terms of what is compiled already, so that they add no parameters.
  const [foundHere, restHere] = [conditions.compile(found, type), conditions.compile(rest, type)];
  const isMuch = `EXISTS (SELECT 1 FROM assets WHERE ${foundHere}
    LIMIT 1 OFFSET (SELECT total / 8 FROM types WHERE number = ${type.number}))`;
  const condition = `${restHere} AND key IN (SELECT key FROM assets WHERE ${foundHere})`;
  const walk = index
    ? selectOneWay({ kind: 'walk', index }, { type, condition }, sort)
    : `${columns(['id'])} FROM assets INDEXED BY assets_by_type WHERE ${part.condition}`;
  const sorted = selectOneWay({ kind: 'sort' }, part, sort);
  return `SELECT * FROM (${walk} ${orderBy(sort)} LIMIT iif(${isMuch}, ${end}, 0))
    UNION ALL SELECT * FROM (${sorted} ${orderBy(sort)} LIMIT iif(${isMuch}, 0, ${end}))`;
}

const columns = (terms: readonly string[]) =>
  `SELECT key AS wanted, ${terms.map((term, index) => `${term} AS sort${index}`).join(', ')}`;

const assetsBy = (index: FieldIndex | undefined) => (index ? `assets INDEXED BY ${index.name}` : 'assets');

/** SQL for the value to sort by; NULL is SQLite's least value, as an absent one is here. */
function sortTerm(path: FieldPath, type: StoredType): string {
  if (path.leaf.kind === 'id') return 'id';
  if (path.leaf.kind === 'type') return quoteText(type.class);
  const kind = valueKind(path.leaf);
  if (kind === undefined) throw new Error(`Nothing can be sorted by ${path.text}`);
  return typedValue(reachValues('document', valueSteps(path)).value, kind);
}
