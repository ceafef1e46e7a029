/**
 * Compiles the statements over the keys that an index finds: how many there are, and the page and the count of those assets that
 * match a whole predicate.
 */
import type { BoundPredicate } from '../../../../query/ast.ts';
import type { BoundSort } from '../../../../query/sort.ts';
import { compareText } from '../../../../query/text.ts';
import type { Query, Row } from '../../connection.ts';
import type { StoredType, StoredTypes } from '../../indexes/stored-types.ts';
import { readsDocuments, sortTerm } from '../compile-page.ts';
import { type Conditions, createConditions } from '../compile-predicate.ts';
import { selectKeys, type TypeSearch } from './index-keys.ts';
import { toWay } from './index-ways.ts';

/** A find in one type. */
interface CandidateFind {
  readonly type: StoredType;
  readonly types: StoredTypes;
  readonly terms: readonly BoundPredicate[];
  readonly sort: BoundSort;
  readonly limit: number;
  readonly offset: number;
}

/** Compiles the number of keys, at most `ceiling`; a key that an index has for several values counts several times. */
export function compileKeyCount(
  search: TypeSearch,
  { types, ceiling }: { types: StoredTypes; ceiling: number },
): Query {
  return compileStatement(types, (conditions) => {
    const keys = keysOf(search, { types, conditions });
    return `SELECT count(*) FROM (SELECT 1 FROM (${keys}) LIMIT ${toInteger(conditions, ceiling)})`;
  });
}

/** Compiles the number of assets that an index finds. */
export const compileDistinctCount = (search: TypeSearch, types: StoredTypes): Query =>
  compileStatement(
    types,
    (conditions) => `SELECT count(DISTINCT key) FROM (${keysOf(search, { types, conditions })})`,
  );

/** Compiles the page of the matching candidates, with the columns of `compileWalk`. */
export function compileCandidatePage(source: TypeSearch, find: CandidateFind): Query {
  const { sort, type, types, limit, offset } = find;
  const order = `ORDER BY ${sort.map(({ descending }, n) => `sort${n}${descending ? ' DESC' : ''}`).join(', ')}`;
  return compileStatement(types, (conditions) => {
    const search = { ...find, readsDocuments: readsDocuments(sort, type) };
    const { rows, id } = toWay(source, search, conditions);
    const values = sort.map(
      ({ path }, n) => `${path.leaf.kind === 'id' ? id : sortTerm(path, type)} AS sort${n}`,
    );
    return `SELECT key, id, octet_length(document), ${sort.map((_, n) => `sort${n}`).join(', ')}
      FROM (SELECT wanted, ${values.join(', ')} ${rows} ${order}
        LIMIT ${toInteger(conditions, limit)} OFFSET ${toInteger(conditions, offset)})
      CROSS JOIN assets ON key = wanted ${order}`;
  });
}

/** Compiles the number of the matching candidates. */
export const compileCandidateCount = (source: TypeSearch, find: CandidateFind): Query =>
  compileStatement(find.types, (conditions) => {
    const { rows } = toWay(source, { ...find, readsDocuments: false }, conditions);
    return `SELECT count(*) ${rows}`;
  });

/** Orders rows of the values that assets are sorted by as SQLite does: NULL first, texts by code point. */
export const compareRows = (sort: readonly { readonly descending: boolean }[]) => (a: Row, b: Row) => {
  for (const [n, { descending }] of sort.entries()) {
    const difference = compareColumns(a[n] ?? null, b[n] ?? null);
    if (difference !== 0) return descending ? -difference : difference;
  }
  return 0;
};

function compareColumns(a: Row[number], b: Row[number]): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : Number(a) - Number(b);
}

function keysOf(
  search: TypeSearch,
  { types, conditions: { add, addTest } }: { types: StoredTypes; conditions: Conditions },
): string {
  const keys = selectKeys(search, { types, add, addTest });
  if (keys === undefined) throw new Error('No index serves this predicate');
  return keys;
}

function compileStatement(types: StoredTypes, compile: (conditions: Conditions) => string): Query {
  const conditions = createConditions(types);
  const sql = compile(conditions);
  return { sql, params: conditions.params, tests: conditions.tests };
}

/** Hides a number from the planner, which would otherwise prepare the statement again for every value. */
const toInteger = ({ add }: Conditions, value: number) => `CAST(${add(value)} AS INTEGER)`;
