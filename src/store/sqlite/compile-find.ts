/**
 * Compiles a request for a page of assets to SQL: one select for the documents, one for the count.
 *
 * Each type is selected by itself, so that its own indexes serve it, and the parts are merged in order of `id`. The inner
 * select finds keys in indexes; documents are fetched for the page alone. A count without a predicate is kept in `types`.
 */
import type { BoundPredicate } from '../../query/ast.ts';
import type { FindRequest } from '../port.ts';
import { compilePredicate } from './compile-predicate.ts';
import type { Query } from './connection.ts';
import { indexKey } from './field-indexes.ts';
import { getType, type StoredType, type StoredTypes } from './stored-types.ts';

/** The queries of one request; each is absent when nothing is asked of it. */
export interface FindQueries {
  /** Rows of one column, the document. */
  readonly page?: Query;
  /** One row of one column, the number of assets. */
  readonly count?: Query;
}

/** The queries that answer `request`. */
export function compileFind(request: FindRequest, types: StoredTypes): FindQueries {
  const classes = [...new Set(request.types)];
  const where = request.where ?? { kind: 'constant', value: true };
  const conditions = compilePredicate(where, { types, classes });
  const parts = classes.map((name, index) => {
    const type = getType(types, name);
    const rows = `FROM assets WHERE type = ${type.number} AND ${conditions.sql[index]}`;
    return { type, rows };
  });
  return {
    ...(request.limit > 0 && { page: compilePage({ ...request, where, parts, params: conditions.params }) }),
    ...(request.withCount && { count: compileCount({ where, parts, params: conditions.params }) }),
  };
}

interface Selection {
  readonly where: BoundPredicate;
  /** For each type, `FROM` and `WHERE` of its assets. */
  readonly parts: readonly { readonly type: StoredType; readonly rows: string }[];
  readonly params: readonly (string | number)[];
}

/** A bare parameter for the limit would be peeked at by the planner, and the statement prepared anew for every page. */
function compilePage({
  where,
  parts,
  params,
  limit,
  offset,
}: Selection & Pick<FindRequest, 'limit' | 'offset'>): Query {
  const selects = parts.map(
    ({ type, rows }) => `SELECT key AS wanted, ${sortTerm(where, type)} AS place ${rows}`,
  );
  const [limitName, offsetName] = [`?${params.length + 1}`, `?${params.length + 2}`];
  return {
    sql: `SELECT document FROM (
      ${selects.join(' UNION ALL ')}
      ORDER BY place LIMIT CAST(${limitName} AS INTEGER) OFFSET CAST(${offsetName} AS INTEGER)
    ) CROSS JOIN assets ON key = wanted ORDER BY place`,
    params: [...params, limit, offset],
  };
}

function compileCount({ where, parts, params }: Selection): Query {
  if (where.kind === 'constant' && where.value) {
    const numbers = parts.map(({ type }) => type.number);
    return { sql: `SELECT sum(total) FROM types WHERE number IN (${numbers.join(', ')})`, params };
  }
  const counts = parts.map(({ rows }) => `SELECT count(*) AS n ${rows}`);
  return { sql: `SELECT sum(n) FROM (${counts.join(' UNION ALL ')})`, params };
}

/**
 * `+id` hides from the planner that an index is in order of `id`. Left to choose, it would rather walk a whole type in order
 * than sort what an index on a field found, though that is never more than the count has to go through.
 */
const sortTerm = (where: BoundPredicate, type: StoredType) =>
  isNarrowed(where, type) && !isOrdered(where, type) ? '+id' : 'id';

/** Whether indexes on fields find all that matches. */
function isNarrowed(where: BoundPredicate, type: StoredType): boolean {
  switch (where.kind) {
    case 'and':
      return where.terms.some((term) => isNarrowed(term, type));
    case 'or':
      return where.terms.every((term) => isNarrowed(term, type));
    case 'equals':
    case 'compare':
    case 'text':
    case 'words': {
      const isDirect =
        where.kind === 'compare' ||
        (where.kind === 'equals' && !where.ignoreCase) ||
        (where.kind === 'text' && where.operator === 'startsWith' && !where.ignoreCase);
      return type.indexes.has(indexKey(where.path)) && (isDirect || where.path.through !== undefined);
    }
    default:
      return false;
  }
}

/** Whether one index finds them, in order of `id` at that. */
function isOrdered(where: BoundPredicate, type: StoredType): boolean {
  if (where.kind === 'and') return where.terms.some((term) => isOrdered(term, type));
  return (
    where.kind === 'equals' &&
    where.values.length === 1 &&
    !where.ignoreCase &&
    where.path.through === undefined &&
    type.indexes.get(indexKey(where.path))?.kind === 'value'
  );
}
