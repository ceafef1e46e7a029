/**
 * Compiles a request for a page of assets to SQL: one select that locates the documents and one that counts them.
 *
 * Each type has its own select, which can use the indexes of that type. The table `types` holds the counts without a predicate.
 */
import type { BoundPredicate } from '../../../query/ast.ts';
import { sortById } from '../../../query/sort.ts';
import type { FindRequest } from '../../port.ts';
import type { Query } from '../connection.ts';
import { getType, type StoredType, type StoredTypes } from '../indexes/stored-types.ts';
import { chooseWay, type IndexWay, listWays } from './bounded/index-ways.ts';
import { compilePage } from './compile-page.ts';
import { createConditions } from './compile-predicate.ts';
import { termsOf } from './plan-order.ts';
import { hasExactWords, selectByWords } from './word-search.ts';

/** The queries of one request; each is absent when the request does not need it. */
export interface FindQueries {
  /** Locates the documents of the page, with the columns that `DocumentRequest` documents. */
  readonly locate?: Query;
  /** Returns one row with one column, the number of assets. */
  readonly count?: Query;
}

/** Compiles the queries that answer `request`. */
export function compileFind(request: FindRequest, types: StoredTypes): FindQueries {
  const { where = everything, sort = sortById, limit, offset, withCount } = request;
  const parts = [...new Set(request.types)].map((name) => getType(types, name));
  return {
    ...(limit > 0 && { locate: compilePage({ where, sort, parts, types }, { limit, offset }) }),
    ...(withCount && { count: compileCount({ where, parts, types }) }),
  };
}

const everything: BoundPredicate = { kind: 'constant', value: true };

interface Counted {
  readonly where: BoundPredicate;
  readonly parts: readonly StoredType[];
  readonly types: StoredTypes;
}

function compileCount({ where, parts, types }: Counted): Query {
  if (where.kind === 'constant' && where.value) {
    const numbers = parts.map(({ number }) => number);
    return { sql: `SELECT sum(total) FROM types WHERE number IN (${numbers.join(', ')})`, params: [] };
  }
  const conditions = createConditions(types);
  const terms = termsOf(where);
  const counts = parts.map((type) => {
    const [first] = terms;
    const keys =
      first?.kind === 'words' && terms.length === 1 && hasExactWords(first, type)
        ? selectByWords(first, { type, collect: conditions })
        : undefined;
    if (keys !== undefined) return `SELECT count(*) AS n FROM (${keys})`;
    const search = { type, types, terms, readsDocuments: false };
    const ways = listWays(search, conditions);
    return ways.length > 0 ? countByWays(ways) : `SELECT count(*) AS n ${conditions.compile(where, type)}`;
  });
  const sql = `SELECT sum(n) FROM (${counts.join(' UNION ALL ')})`;
  return { sql, params: conditions.params, tests: conditions.tests };
}

function countByWays(ways: readonly IndexWay[]): string {
  const counts = ways.map(({ rows }) => `SELECT count(*) AS n ${rows}`);
  if (counts.length === 1) return counts.join();
  const cases = counts.map((count, n) => `WHEN ${n} THEN (${count})`);
  return `SELECT n FROM (WITH ${chooseWay(ways)} SELECT CASE n ${cases.join(' ')} END AS n FROM choice)`;
}
