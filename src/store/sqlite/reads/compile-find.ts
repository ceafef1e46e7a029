/**
 * Compiles a request for a page of assets to SQL: one select that locates the documents, one for the count.
 *
 * Each type is selected by itself, so that its own indexes serve it. A count without a predicate is kept in `types`.
 */
import type { BoundPredicate } from '../../../query/ast.ts';
import { sortById } from '../../../query/sort.ts';
import type { FindRequest } from '../../port.ts';
import type { Query } from '../connection.ts';
import { getType, type StoredTypes } from '../indexes/stored-types.ts';
import { compilePage, type TypePart } from './compile-page.ts';
import { createConditions } from './compile-predicate.ts';

/** The queries of one request; each is absent when nothing is asked of it. */
export interface FindQueries {
  /** Where the documents of the page are, with the columns that `DocumentRequest` says. */
  readonly locate?: Query;
  /** One row of one column, the number of assets. */
  readonly count?: Query;
}

/** The queries that answer `request`. */
export function compileFind(request: FindRequest, types: StoredTypes): FindQueries {
  const { where = everything, sort = sortById, limit, offset, withCount } = request;
  const conditions = createConditions(types);
  const { tests } = conditions;
  const parts = [...new Set(request.types)].map((name) => {
    const type = getType(types, name);
    return { type, condition: conditions.compile(where, type) };
  });
  return {
    ...(limit > 0 && { locate: compilePage({ where, sort, parts, conditions }, { limit, offset }) }),
    ...(withCount && { count: { sql: compileCount(where, parts), params: conditions.params, tests } }),
  };
}

const everything: BoundPredicate = { kind: 'constant', value: true };

function compileCount(where: BoundPredicate, parts: readonly TypePart[]): string {
  if (where.kind === 'constant' && where.value) {
    const numbers = parts.map(({ type }) => type.number);
    return `SELECT sum(total) FROM types WHERE number IN (${numbers.join(', ')})`;
  }
  const counts = parts.map(({ condition }) => `SELECT count(*) AS n FROM assets WHERE ${condition}`);
  return `SELECT sum(n) FROM (${counts.join(' UNION ALL ')})`;
}
