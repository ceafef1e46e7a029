/**
 * Compiles conditions on the values of a path: in a column, in the index of a list, in the document, or behind references.
 *
 * A select of rows is joined with their documents only where a condition reads one.
 */
import type { FieldPath } from '../../../model/field-path.ts';
import { indexKey } from '../indexes/field-indexes.ts';
import { getType, type StoredType, type StoredTypes } from '../indexes/stored-types.ts';
import { tableOf, withDocuments } from '../indexes/type-tables.ts';
import { quoteText, reachValues, typedValue, type ValueKind, valueSteps } from './document-path.ts';
import type { ValueCollector, ValueTest } from './value-test.ts';

/** What a select reads beside its conditions. */
export interface RowOptions {
  /** The index of the type's table that is walked. */
  readonly by?: string | undefined;
  /** Whether the select itself reads documents. */
  readonly readsDocument?: boolean;
}

/** The context of a condition: the type of the innermost rows, and the statement's parameters and tests. */
export interface Scope extends ValueCollector {
  readonly types: StoredTypes;
  readonly type: StoredType;
  /** Whether the condition tests a small number of rows; then it uses no index and is not interrupted. */
  readonly isForFew: boolean;
  /** Counts one more select of referenced assets. Errors: query_too_costly. */
  readonly countSelect: () => void;
  /** Returns SQL for the document of the row, and notes that it is read. */
  readonly document: () => string;
}

/** The context outside of the rows. */
export type OuterScope = Omit<Scope, 'document'>;

/** Returns a type of which only documents are read. */
export const withoutIndexes = (type: StoredType): StoredType => ({
  ...type,
  indexes: new Map(),
  words: new Map(),
});

/**
 * Throws when the query must stop, else is true. Only every eighth row checks, which costs little beside its read. Every select
 * that visits rows has this condition, so that every statement can be stopped.
 */
export const notCancelled = '(key & 7 OR go_on())';

/** Compiles the condition that a row of `assets` is of a type. */
export const ofType = ({ number }: StoredType) => `type = ${number}`;

/** Compiles the select of the rows of one type for which `condition` is true, which gets the scope of these rows. */
export function selectRows(
  outer: OuterScope,
  conditionIn: (scope: Scope) => string,
  { by, readsDocument = false }: RowOptions = {},
): string {
  let isRead = readsDocument;
  const document = () => {
    isRead = true;
    return 'document';
  };
  const condition = conditionIn({ ...outer, document });
  const rows = `${tableOf(outer.type.number)}${by === undefined ? '' : ` INDEXED BY ${by}`}`;
  return `FROM ${isRead ? withDocuments(rows) : rows} WHERE ${condition}`;
}

/** A path to references, and the condition on the assets of some types that they may point to. */
export interface Followed {
  readonly path: FieldPath;
  readonly targets: readonly string[];
  /** Compiles FROM and WHERE of a select of the targets, or the condition on few rows of `assets`. */
  readonly rows: (target: OuterScope) => string;
}

/** Compiles a condition that is true when a reference at `path` points to an asset of `targets` that is one of `rows`. */
export function follow(followed: Followed, scope: Scope): string {
  if (scope.isForFew) return followFromRow(followed, scope);
  const { path, targets, rows } = followed;
  const selects = targets.map((name) => {
    scope.countSelect();
    const type = getType(scope.types, name);
    // As with CAST, the plus sign removes the affinity, which would prevent the use of an index on the reference.
    return `SELECT +id ${rows({ ...scope, type })}`;
  });
  const test: ValueTest = (value) => `${value} IN (${selects.join(' UNION ALL ')})`;
  return someValue({ path, kind: 'text', test }, scope);
}

/** Compiles the same condition from the row: it looks up the assets that the row refers to. */
function followFromRow({ path, targets, rows }: Followed, scope: Scope): string {
  const { from, where, value } = reachValues(scope.document(), valueSteps(path));
  const references = [
    `SELECT ${typedValue(value, 'text')} AS reference`,
    ...(from.length > 0 ? [`FROM ${from.join(', ')} WHERE ${where.join(' AND ')}`] : []),
  ].join(' ');
  const selects = targets.map((name) => {
    scope.countSelect();
    const type = withoutIndexes(getType(scope.types, name));
    return `SELECT 1 FROM (${references}) CROSS JOIN assets ON id = reference WHERE ${rows({ ...scope, type })}`;
  });
  return `EXISTS (${selects.join(' UNION ALL ')})`;
}

/** Compiles a condition that is true when `test` is true for at least one value of the path. */
export function someValue(
  { path, kind, test }: { path: FieldPath; kind: ValueKind; test: ValueTest },
  { type, document }: Scope,
): string {
  if (path.leaf.kind === 'id') return test('id');
  if (path.leaf.kind === 'type') return test(quoteText(type.class));
  const index = type.indexes.get(indexKey(path));
  if (index?.kind === 'list')
    return `key IN (SELECT key FROM ${index.name} WHERE ${notCancelled} AND ${test('value')})`;
  if (index) return test(index.column);
  const { from, where, value } = reachValues(document(), valueSteps(path));
  return exists({ from, where, condition: test(typedValue(value, kind)) });
}

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
