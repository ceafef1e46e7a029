/**
 * Tests of values in SQL: the comparison of one value, which comparisons only JavaScript can do, and the SQL functions that do them.
 */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { memberOf } from '../../../base/own-members.ts';
import type { Asset, Json, JsonObject } from '../../../model/content-type.ts';
import type { FieldPath } from '../../../model/field-path.ts';
import { asScalarName, orderOf } from '../../../model/values/scalars.ts';
import { isJsonObject } from '../../../model/values/validate-asset.ts';
import {
  type BoundComparison,
  type BoundPredicate,
  type BoundValue,
  readsTexts,
  type ValueComparison,
} from '../../../query/ast.ts';
import { allOf, anyOf, buildAny } from '../../../query/build-comparison.ts';
import { type EvaluationTest, prepareEvaluation } from '../../../query/evaluate.ts';
import type { OrderOperator, PartOperator } from '../../../query/operators.ts';
import { longestOrderedText } from '../../../text/ordered-texts.ts';
import { indexKey, type StoredType } from '../indexes/field-indexes.ts';
import { outOfMemoryError } from '../map-error.ts';
import type { ValueKind } from './document-path.ts';

/** Returns the SQL of a condition on a value, itself given as SQL. */
export type ValueTest = (value: string) => string;

/** A predicate that JavaScript evaluates on a document, or on an item of nested lists of it. */
export interface Test {
  readonly predicate: BoundPredicate;
  /** The paths of these lists, each from the item of the one before it. */
  readonly lists: readonly FieldPath[];
}

/** Adds values to a statement. */
export interface ValueCollector {
  /** Adds a parameter and returns its name. */
  readonly add: (value: BoundValue) => string;
  /** Adds a predicate for `holds` and `value_holds` and returns its number; `lists` are as in `Test`. */
  readonly addTest: (predicate: BoundPredicate, lists?: readonly FieldPath[]) => number;
}

/** Compiles a comparison with values of this kind. */
export function toTest(
  comparison: ValueComparison,
  { kind, scope: { add, addTest } }: { kind: ValueKind; scope: ValueCollector },
): ValueTest {
  if (isFolded(comparison)) {
    const number = addTest(toValueTest(comparison));
    return (value) => `value_holds(${value}, ${number})`;
  }
  switch (comparison.kind) {
    case 'equals':
      return equalsAny(comparison.values, { kind, add });
    case 'compare': {
      const bound = add(comparison.value);
      return (value) => `${value} ${comparisonSigns[comparison.operator]} ${bound}`;
    }
    case 'text':
      return partTests[comparison.operator](comparison.value, add);
    case 'words':
      throw new Error('Words are looked for by evaluation alone');
  }
}

const comparisonSigns: Readonly<Record<OrderOperator, string>> = { lt: '<', le: '<=', gt: '>', ge: '>=' };

function equalsAny(
  values: readonly BoundValue[],
  { kind, add }: { kind: ValueKind; add: ValueCollector['add'] },
): ValueTest {
  const [first, ...others] = values;
  if (first !== undefined && others.length === 0) {
    const bound = add(first);
    return (value) => `${value} = ${bound}`;
  }
  const bound = add(JSON.stringify(values));
  // The plus sign removes the type affinity of the cast, which would prevent the use of an index.
  const item = kind === 'number' ? '+CAST(value AS REAL)' : 'value';
  return (value) => `${value} IN (SELECT ${item} FROM json_each(${bound}))`;
}

type PartTest = (part: string, add: ValueCollector['add']) => ValueTest;

const partTests: Readonly<Record<PartOperator, PartTest>> = {
  startsWith: (part, add) => {
    const bound = add(part);
    const end = endOfPrefix(part);
    if (end === undefined) return (value) => `${value} >= ${bound}`;
    const boundEnd = add(end);
    return (value) => `(${value} >= ${bound} AND ${value} < ${boundEnd})`;
  },
  contains: (part, add) => {
    // SQLite keeps a copy of the text for each call of a function that has a constant argument. A subquery is none.
    const bound = `(SELECT ${add(part)})`;
    return (value) => `instr(${value}, ${bound}) > 0`;
  },
};

/** Finds the first text after all texts with this prefix, in code point order; U+10FFFF repeated has none. */
function endOfPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  const last = points.findLastIndex((point) => point < 0x10ffff);
  const point = points[last];
  if (point === undefined) return undefined;
  // Skips the surrogates, which are not characters.
  const next = point >= 0xd7ff && point < 0xe000 ? 0xe000 : point + 1;
  return String.fromCodePoint(...points.slice(0, last), next);
}

/** Starts a list of parameters. Equal values share one, because the select of each type compares with the same values. */
export function createParams() {
  const values: (string | number)[] = [];
  const names = new Map<string | number, string>();
  const add = (value: BoundValue): string => {
    const bound = typeof value === 'boolean' ? Number(value) : value;
    const name = names.get(bound) ?? `?${values.push(bound)}`;
    names.set(bound, name);
    return name;
  };
  return { values, add };
}

// Finds the tests of a predicate: the comparisons that SQL cannot express, because `query/evaluate.ts` defines case and words, and those
// for each of which SQL would read the same value again.
//
// JavaScript evaluates a test on whole documents, which it reads by key: a text that SQL passes to a function stays in memory
// until the statement ends. Values in the index of a list are still passed to a function, because they are short and repeated.

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

interface TestedRows {
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
const toValueTest = (comparison: BoundComparison): BoundComparison => ({
  ...comparison,
  path: { text: valueName, steps: [{ name: valueName, list: false }], leaf: comparison.path.leaf },
});

/** The field that `toValueTest` compares. */
const valueName = 'value';

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
  const { path } = comparison;
  if (path.leaf.kind === 'id' || path.leaf.kind === 'type') return true;
  switch (comparison.kind) {
    case 'equals':
    case 'compare':
    case 'text':
    case 'words':
      return !readsTexts(comparison) && type.indexes.get(indexKey(path))?.kind === 'value';
    case 'missing':
    case 'empty':
      return false;
  }
}

// Defines the SQL functions that compiled predicates call, so that case and words are compared as everywhere else.
//
// node:sqlite keeps the arguments of a function in memory until the statement ends. So a function gets the key of a document and
// reads the document itself, and a statement whose arguments need too much memory fails.

/**
 * Tells whether the running statement must stop. It is asked at one in eight of the rows that a statement visits; before a document
 * or a value is tested, with the number of its characters; before SQL reads a long text, with a part of that number, as this takes less
 * time; and while a document is tested, with 0.
 */
type IsStopped = (testedCharacters?: number) => boolean;

/** The functions of one connection. */
export interface PredicateFunctions {
  /** Runs a statement that was compiled with these tests. */
  withTests<Result>(tests: readonly Test[], run: () => Result): Result;
}

/** About how many bytes a call keeps until the statement ends, besides its text argument. */
const bytesPerCall = 40;
/** How many characters are looked through between two checks, and as how many a comparison counts in itself: a millisecond or so. */
const workPerCheck = 1_600_000;
const comparisonWork = 100_000;
/** SQL reads a text this many times as fast as JavaScript folds it. */
const bytesPerCharacterTested = 8;

/**
 * Defines on a connection `holds(key, test, ...indexes)` for a row of `assets` or the item of nested lists at these indexes,
 * `value_holds(value, test)`, `go_on()`, `go_on(bytes)` before a long text is read, and `order_key(scalar, text)`, which is NULL for a text that is no value of the scalar.
 *
 * `test` is the number of a predicate among the tests; `value_holds` is false for a value that is not a text. The first three throw
 * when `isStopped` returns true, or when the statement keeps more than `maxKeptBytes` in memory.
 */
export function definePredicateFunctions(
  database: DatabaseSync,
  { isStopped, maxKeptBytes }: { isStopped: IsStopped; maxKeptBytes: number },
): PredicateFunctions {
  const readDocument = createDocumentReader(database);
  const readAsset = (key: number) => {
    const document = readDocument(key);
    if (isStopped(document.length)) throw stopped();
    // A stored document is an asset.
    return JSON.parse(document) as Asset;
  };
  let tests: readonly { readonly holds: EvaluationTest; readonly lists: readonly FieldPath[] }[] = [];
  let [keptBytes, work] = [0, 0];
  let lastValue: { readonly value: string; readonly number: unknown; readonly holds: number } | undefined;
  let lastRow: { readonly key: unknown; readonly asset: Asset } | undefined;

  /** Stops within a document, too: comparing a long text with many others takes long. */
  const onComparison = (characters: number) => {
    work += comparisonWork + characters;
    if (work < workPerCheck) return;
    work = 0;
    if (isStopped(0)) throw stopped();
  };
  const keep = (bytes: number) => {
    keptBytes += bytes;
    if (keptBytes > maxKeptBytes) throw outOfMemoryError();
  };
  const evaluate = (number: unknown, asset: JsonObject, indexes: readonly unknown[] = []) => {
    const test = tests[Number(number)];
    if (!test) throw new Error(`The statement has no test ${number}`);
    const holder = itemAt(asset, test.lists, indexes);
    return Number(isJsonObject(holder) && test.holds(holder, noReferences));
  };
  database.function('go_on', { varargs: true }, (bytes) => {
    if (isStopped(bytes === undefined ? undefined : Number(bytes) / bytesPerCharacterTested)) throw stopped();
    keep(bytesPerCall);
    return 1;
  });
  database.function('holds', { varargs: true }, (key, number, ...indexes) => {
    keep(bytesPerCall);
    if (lastRow?.key !== key) lastRow = { key, asset: readAsset(Number(key)) };
    return evaluate(number, lastRow.asset, indexes);
  });
  database.function('value_holds', (value, number) => {
    if (typeof value !== 'string') return 0;
    if (isStopped(value.length)) throw stopped();
    keep(bytesPerCall + value.length);
    // Equal values follow each other in the index of a list.
    if (lastValue?.value !== value || lastValue.number !== number) {
      lastValue = { value, number, holds: evaluate(number, { [valueName]: value }) };
    }
    return lastValue.holds;
  });
  database.function('order_key', { deterministic: true }, (scalar, text) => {
    keep(bytesPerCall + longestOrderedText);
    return orderOf(asScalarName(String(scalar))).toKey(String(text)) ?? null;
  });
  return {
    withTests(wanted, run) {
      keptBytes = 0;
      tests = wanted.map(({ predicate, lists }) => ({
        holds: prepareEvaluation(predicate, onComparison),
        lists,
      }));
      try {
        return run();
      } finally {
        [tests, lastRow, lastValue] = [[], undefined, undefined];
      }
    },
  };
}

/** Finds the item at these indexes of nested lists; without lists, the asset itself. */
function itemAt(
  asset: JsonObject,
  lists: readonly FieldPath[],
  indexes: readonly unknown[],
): Json | undefined {
  let [value, n]: [Json | undefined, number] = [asset, 0];
  for (const { name, list } of lists.flatMap(({ steps }) => steps)) {
    value = isJsonObject(value) ? memberOf(value, name) : undefined;
    if (list) value = Array.isArray(value) ? value[Number(indexes[n++])] : undefined;
  }
  return value;
}

/** Tests read no referenced assets: SQL has a separate condition for those. */
const noReferences = () => undefined;

const stopped = () => new Error('The query is stopped');

function createDocumentReader(database: DatabaseSync): (key: number) => string {
  let select: StatementSync | undefined;
  return (key) => {
    if (!select) {
      select = database.prepare('SELECT document FROM assets WHERE key = ?');
      select.setReturnArrays(true);
    }
    // With `setReturnArrays` a row is an array, which the declared types do not know.
    const [document] = select.get(key) as unknown as [string];
    return document;
  };
}
