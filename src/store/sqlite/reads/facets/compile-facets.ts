/**
 * Compiles the count of the values of fields to one statement, which finds the matching assets once for all fields.
 *
 * The values of few matching assets are read from their documents, those of many by walking the whole index of the field. The
 * statement decides when it runs; the other way has the limit 0.
 */
import type { FieldPath } from '../../../../model/field-path.ts';
import type { BoundPredicate } from '../../../../query/ast.ts';
import type { Query } from '../../connection.ts';
import {
  getType,
  indexKey,
  type StoredType,
  type StoredTypes,
  tableOf,
  withDocuments,
} from '../../indexes/field-indexes.ts';
import { notCancelled, notCancelledAt } from '../compile-path.ts';
import { type Conditions, createConditions } from '../compile-predicate.ts';
import { reachValues, typedValue, valueKind, valueSteps } from '../document-path.ts';

/** The values to count. */
export interface FacetSearch {
  readonly classes: readonly string[];
  readonly where: BoundPredicate | undefined;
  readonly paths: readonly FieldPath[];
  readonly limit: number;
  readonly types: StoredTypes;
}

/** A longer value is cut to one character more, which is enough to see that it is too long. */
const maxValueCharacters = 2_000;

/** Compiles the statement. Its columns are the number of the field, the value, and the number of assets; each field is in order. */
export function compileFacets({ classes, where, paths, limit, types }: FacetSearch): Query {
  const conditions = createConditions(types);
  const parts = [...new Set(classes)].map((name) => getType(types, name));
  const matched = parts.map((type) => `SELECT key, ${type.number} ${matching(where, type, conditions)}`);
  const counts = paths.map((path, n) => countValues(path, { n, parts, isAll: where === undefined, limit }));
  return {
    sql: `WITH matched (wanted, of_type) AS MATERIALIZED (${where ? matched.join(' UNION ALL ') : 'SELECT NULL, NULL WHERE 0'}),
      choice (few) AS MATERIALIZED (SELECT ${where ? isFew(parts) : '0'})
      ${counts.join(' UNION ALL ')}`,
    params: conditions.params,
    tests: conditions.tests,
  };
}

const matching = (where: BoundPredicate | undefined, type: StoredType, { compile }: Conditions) =>
  compile(where ?? { kind: 'constant', value: true }, type);

/** Reading a document costs about as much as visiting eight entries of an index. */
const isFew = (parts: readonly StoredType[]) =>
  `(SELECT count(*) FROM matched) * 8 < (SELECT sum(total) FROM types
    WHERE number IN (${parts.map(({ number }) => number).join(', ')}))`;

interface Counting {
  readonly n: number;
  readonly parts: readonly StoredType[];
  /** Whether all assets are counted. */
  readonly isAll: boolean;
  readonly limit: number;
}

function countValues(path: FieldPath, { n, parts, isAll, limit }: Counting): string {
  const selects = parts.flatMap((type) => {
    const inIndex = countInIndex(path, type, isAll);
    const inDocuments = countInDocuments(path, type, isAll);
    if (inIndex === undefined) return [inDocuments];
    if (isAll) return [inIndex];
    return [
      `SELECT * FROM (${inDocuments} LIMIT iif((SELECT few FROM choice), -1, 0))`,
      `SELECT * FROM (${inIndex} LIMIT iif((SELECT few FROM choice), 0, -1))`,
    ];
  });
  const value = valueKind(path.leaf) === 'text' ? `substr(value, 1, ${maxValueCharacters + 1})` : 'value';
  return `SELECT * FROM (SELECT ${n}, ${value}, sum(n) AS total FROM (${selects.join(' UNION ALL ')})
    GROUP BY value ORDER BY total DESC, value LIMIT ${limit})`;
}

function countInIndex(path: FieldPath, type: StoredType, isAll: boolean): string | undefined {
  const index = type.indexes.get(indexKey(path));
  if (!index) return undefined;
  const isMatching = isAll ? '' : 'AND key IN (SELECT wanted FROM matched)';
  const { kind, name, table, column } = index;
  return `SELECT ${column} AS value, count(*) AS n FROM ${table}${kind === 'list' ? '' : ` INDEXED BY ${name}`}
    WHERE ${notCancelled} AND ${column} IS NOT NULL ${isMatching} GROUP BY ${column}`;
}

function countInDocuments(path: FieldPath, type: StoredType, isAll: boolean): string {
  const kind = valueKind(path.leaf);
  if (kind === undefined) throw new Error(`Nothing can be counted by ${path.text}`);
  const { from, where, value } = reachValues('document', valueSteps(path));
  const rows = isAll
    ? `${withDocuments(tableOf(type.number))} WHERE true`
    : `matched CROSS JOIN assets ON assets.key = wanted AND of_type = ${type.number} WHERE true`;
  const [tables, condition] = rows.split(' WHERE ');
  const found = [tables, ...from].join(', ');
  const conditions = [condition, notCancelledAt('assets.key'), ...where].join(' AND ');
  return `SELECT value, count(*) AS n FROM (
      SELECT DISTINCT assets.key, ${typedValue(value, kind)} AS value FROM ${found} WHERE ${conditions}
    ) WHERE value IS NOT NULL GROUP BY value`;
}
