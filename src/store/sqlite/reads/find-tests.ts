/**
 * Finds the tests of a predicate: the comparisons that SQL cannot express, because `query/evaluate.ts` defines case and words, and those
 * for each of which SQL would read the same value again.
 *
 * JavaScript evaluates a test on whole documents, which it reads by key: a text that SQL passes to a function stays in memory
 * until the statement ends. Values in the index of a list are still passed to a function, because they are short and repeated.
 */
import type { BoundComparison, BoundPredicate } from '../../../query/ast.ts';
import { allOf, anyOf, buildAny } from '../../../query/build-comparison.ts';
import { indexKey } from '../indexes/field-indexes.ts';
import type { StoredType } from '../indexes/stored-types.ts';

/** Whether a comparison ignores case or looks for words. */
export function isFolded(comparison: BoundComparison): boolean {
  switch (comparison.kind) {
    case 'equals':
    case 'text':
      return comparison.ignoreCase;
    case 'words':
      return true;
    case 'compare':
    case 'missing':
    case 'empty':
      return false;
  }
}

export interface TestedRows {
  readonly type: StoredType;
  /** Tests are left to documents, since an index has the values of all assets. */
  readonly isByRow: boolean;
  /**
   * The predicate has so many comparisons that reading a value again for each of them would take long. Those of values that are only in
   * the document, and those of parts of texts, are tests: JavaScript reads a document once for all of them, and can stop between them.
   */
  readonly hasMany: boolean;
}

/** Whether a predicate contains a test. Fields behind a reference are tested on the referenced asset. */
export function hasTests(predicate: BoundPredicate, rows: TestedRows): boolean {
  switch (predicate.kind) {
    case 'constant':
      return false;
    case 'and':
    case 'or':
      return predicate.terms.some((term) => hasTests(term, rows));
    case 'not':
      return hasTests(predicate.term, rows);
    case 'any':
      return !predicate.targets && hasTests(predicate.where, { ...rows, type: inItems(rows.type) });
    default:
      return isFolded(predicate)
        ? !isFoldedInIndex(predicate, rows)
        : rows.hasMany && !isForSql(predicate, rows);
  }
}

/** Returns a type as it is inside the items of a list: no column and no index has their values. */
export const inItems = (type: StoredType): StoredType => ({ ...type, indexes: new Map(), words: new Map() });

/** Whether a whole predicate is a test: it contains one, and it reads no field of a referenced asset. */
export const isTest = (predicate: BoundPredicate, rows: TestedRows) =>
  hasTests(predicate, rows) && isLocal(predicate);

/** Returns a predicate without tests that holds wherever the given one does; `undefined` when nothing remains. */
export function withoutTests(predicate: BoundPredicate, rows: TestedRows): BoundPredicate | undefined {
  if (!hasTests(predicate, rows)) return predicate;
  if (predicate.kind === 'any') {
    const where = withoutTests(predicate.where, { ...rows, type: inItems(rows.type) });
    return where && buildAny({ ...predicate, where });
  }
  if (predicate.kind !== 'and' && predicate.kind !== 'or') return undefined;
  const terms = predicate.terms.flatMap((term) => withoutTests(term, rows) ?? []);
  if (predicate.kind === 'and') return terms.length > 0 ? allOf(terms) : undefined;
  return terms.length === predicate.terms.length ? anyOf(terms) : undefined;
}

/** Returns the same comparison for a single value, as the only field of an asset. */
export const toValueTest = (comparison: BoundComparison): BoundComparison => ({
  ...comparison,
  path: { text: valueName, steps: [{ name: valueName, list: false }], leaf: comparison.path.leaf },
});

/** The field that `toValueTest` compares. */
export const valueName = 'value';

/** Whether a predicate reads no field of a referenced asset. */
export function isLocal(predicate: BoundPredicate): boolean {
  switch (predicate.kind) {
    case 'constant':
      return true;
    case 'and':
    case 'or':
      return predicate.terms.every(isLocal);
    case 'not':
      return isLocal(predicate.term);
    case 'any':
      return !predicate.targets && isLocal(predicate.where);
    default:
      return true;
  }
}

/** Whether an index serves a comparison that only JavaScript can carry out. */
function isFoldedInIndex({ kind, path }: BoundComparison, { type, isByRow, hasMany }: TestedRows): boolean {
  if (isByRow) return false;
  if (kind === 'words' && type.words.has(indexKey(path))) return true;
  return !hasMany && type.indexes.get(indexKey(path))?.kind === 'list';
}

/** Whether SQL carries out one of many comparisons without reading a document or a long text. */
function isForSql(comparison: BoundComparison, { type }: TestedRows): boolean {
  const { kind, path } = comparison;
  if (path.leaf.kind === 'id' || path.leaf.kind === 'type') return true;
  if (kind === 'missing' || kind === 'empty') return false;
  if (kind === 'text' && comparison.operator === 'contains') return false;
  return type.indexes.get(indexKey(path))?.kind === 'value';
}
