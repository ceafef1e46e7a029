/**
 * Compiles conditions on the values of a path: in a column, in the index of a list, in the document, or behind references.
 *
 * A select of rows is joined with their documents only where a condition reads one.
 */
import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundComparison } from '../../../query/ast.ts';
import {
  getType,
  indexKey,
  type StoredType,
  type StoredTypes,
  tableOf,
  withDocuments,
} from '../indexes/field-indexes.ts';
import { quoteText, reachValues, typedValue, type ValueKind, valueSteps } from './document-path.ts';
import type { ValueCollector, ValueTest } from './value-test.ts';
import { inItems } from './value-test.ts';

/** How a select finds its rows, and what it reads beside its conditions. */
export interface RowOptions {
  /** SQL of a table that is read before the rows. */
  readonly from?: string;
  /** SQL behind the table's name that forbids SQLite to choose an index; absent lets it choose. */
  readonly by?: string;
  /** Conditions before all others, and behind them: of several limits of one side of an index, SQLite takes the first. */
  readonly first?: readonly string[];
  readonly last?: readonly string[];
  /** Whether the select itself reads documents. */
  readonly readsDocument?: boolean;
  /** Whether conditions look up what belongs to each row, instead of finding all that matches first. */
  readonly isByRow?: boolean;
  /** Whether a limit of the statement bounds how many rows it visits, so that it need not be stopped. */
  readonly isBounded?: boolean;
}

/** The context of a condition: the type of the innermost rows, and the statement's parameters and tests. */
export interface Scope extends ValueCollector {
  readonly types: StoredTypes;
  readonly type: StoredType;
  /** Whether conditions look up what belongs to each row, instead of finding all that matches first. */
  readonly isByRow: boolean;
  /** Whether the predicate has many comparisons; see `TestedRows`. */
  readonly hasMany: boolean;
  /** Counts one more select of referenced assets. Errors: query_too_costly. */
  readonly countSelect: () => void;
  /** Returns SQL for the document of the row, or for the embedded value in it that paths begin at, and notes that it is read. */
  readonly document: () => string;
  /** The paths of the lists whose items paths begin at, from the document inwards. */
  readonly lists: readonly FieldPath[];
}

/** The context outside of the rows. */
export type OuterScope = Omit<Scope, 'document' | 'lists'>;

/** Each value is one search in the index of a list. */
const maxValuesByRow = 8;

/** Whether the index of a list has the entry of one row and value that a comparison asks for. */
export const isEntryOfRow = (comparison: BoundComparison) =>
  comparison.kind === 'equals' && !comparison.ignoreCase && comparison.values.length <= maxValuesByRow;

/**
 * Throws when the query must stop, else is true. Only one row in eight checks, which costs little beside its read; which one is spread, so
 * that rows whose keys have a pattern are checked as often. Every select that visits rows has this condition, so that every statement
 * can be stopped.
 */
export const notCancelledAt = (key: string) => `(${key} * 40503 & 57344 OR go_on())`;

/** The same, where one table has a column `key`. */
export const notCancelled = notCancelledAt('key');

/** Takes its place in a select that need not be stopped. */
export const unchecked = '1 /* unchecked */';

/** How many bytes are read without a check: 64 rows of this size take some milliseconds. */
const uncheckedBytes = 16_384;

/** Throws when the query must stop before it reads so long a text, else is true. SQLite knows the length without reading the text. */
export const sizeChecked = (column: string) =>
  `(octet_length(${column}) <= ${uncheckedBytes} OR go_on(octet_length(${column})))`;

/** Compiles FROM and WHERE of a select of the rows of one type for which conditions are true, which get the scope of these rows. */
export function selectRows(
  outer: OuterScope,
  conditionsIn: (scope: Scope) => readonly string[],
  { from, by, first = [], last = [], readsDocument = false, isBounded = false }: RowOptions = {},
): string {
  let isRead = readsDocument;
  const document = () => {
    isRead = true;
    return 'document';
  };
  const own = conditionsIn({ ...outer, document, lists: [] });
  const conditions = [
    isBounded ? unchecked : notCancelled,
    ...first,
    ...(isRead ? [sizeChecked('document')] : []),
    ...own,
    ...last,
  ];
  const before = from === undefined ? '' : `${from} CROSS JOIN `;
  const rows = `${before}${tableOf(outer.type.number)}${by === undefined ? '' : ` ${by}`}`;
  return `FROM ${isRead ? withDocuments(rows) : rows} WHERE ${conditions.join(' AND ')}`;
}

/** Whether conditions that were compiled read documents. */
export const isReadingDocuments = (sql: string) => /\b(CROSS JOIN assets|holds\()/.test(sql);

/** A path to references, and the condition on the assets of some types that they may point to. */
export interface Followed {
  readonly path: FieldPath;
  readonly targets: readonly string[];
  /** Compiles FROM and WHERE of a select of the targets. */
  readonly rows: (target: OuterScope, options?: RowOptions) => string;
}

/** Compiles a condition that is true when a reference at `path` points to an asset of `targets` that is one of `rows`. */
export function follow({ path, targets, rows }: Followed, scope: Scope): string {
  const selectsOf = (select: string, options?: RowOptions) =>
    targets.map((name) => {
      scope.countSelect();
      return `SELECT ${select} ${rows({ ...scope, type: getType(scope.types, name) }, options)}`;
    });
  // As with CAST, the plus sign removes the affinity, which would prevent the use of an index on the reference.
  const test: ValueTest = scope.isByRow
    ? (value) => {
        const reference = { from: `(SELECT ${value} AS reference)`, first: ['id = reference'] };
        return `EXISTS (${selectsOf('1', reference).join(' UNION ALL ')})`;
      }
    : (value) => `${value} IN (${selectsOf('+id').join(' UNION ALL ')})`;
  return someValue({ path, kind: 'text', test, isOfEntry: false }, scope);
}

interface ValueCondition {
  readonly path: FieldPath;
  readonly kind: ValueKind;
  readonly test: ValueTest;
  /** Whether the index of a list has the entry of one row that the test asks for. */
  readonly isOfEntry: boolean;
  /** Whether the test reads a text to its end. */
  readonly readsWhole?: boolean;
}

/** Compiles a condition that is true when `test` is true for at least one value of the path. */
export function someValue(condition: ValueCondition, scope: Scope): string {
  const { path, kind, test, isOfEntry, readsWhole = false } = condition;
  const { type, document, isByRow } = scope;
  if (path.leaf.kind === 'id') return test('id');
  if (path.leaf.kind === 'type') return test(quoteText(type.class));
  const index = type.indexes.get(indexKey(path));
  const check = (column: string) =>
    readsWhole ? `(${sizeChecked(column)} AND ${test(column)})` : test(column);
  if (index?.kind === 'value') return check(index.column);
  if (index && !isByRow)
    return `key IN (SELECT key FROM ${index.name} WHERE ${notCancelled} AND ${check('value')})`;
  if (index && isOfEntry)
    return `EXISTS (SELECT 1 FROM ${index.name} AS entry WHERE ${test('entry.value')} AND entry.key = ${tableOf(type.number)}.key)`;
  const { from, where, value } = reachValues(document(), valueSteps(path), countLists(scope.lists));
  return exists({ from, where, condition: test(typedValue(value, kind)) });
}

/** Compiles a condition that is true when `condition` is true for at least one of the embedded values in a list. */
export function someItem(path: FieldPath, condition: (scope: Scope) => string, scope: Scope): string {
  const { from, where, value } = reachValues(scope.document(), path.steps, countLists(scope.lists));
  const isObject = `${value.type} = 'object'`;
  // SQLite may evaluate conditions in any order.
  const document = () => `CASE WHEN ${isObject} THEN ${value.value} END`;
  const inner = { ...scope, type: inItems(scope.type), document, lists: [...scope.lists, path] };
  return exists({ from, where: [...where, isObject], condition: condition(inner) });
}

/** Returns how many rows of `json_each` lead to the items of nested lists. */
export const countLists = (lists: readonly FieldPath[]): number =>
  lists.reduce((sum, { steps }) => sum + steps.filter(({ list }) => list).length, 0);

/** Compiles a condition on the items of lists; `from` and `where` are those of `reachValues`. */
export function exists({
  from,
  where,
  condition,
}: {
  from: string[];
  where: string[];
  condition: string;
}): string {
  if (from.length === 0) return condition;
  return `EXISTS (SELECT 1 FROM ${from.join(', ')} WHERE ${[...where, condition].join(' AND ')})`;
}
