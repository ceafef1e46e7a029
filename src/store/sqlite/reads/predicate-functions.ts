/**
 * Defines the SQL functions that compiled predicates call, so that case and words are compared as everywhere else.
 *
 * node:sqlite keeps the arguments of a function in memory until the statement ends. So a function gets the key of a document and
 * reads the document itself, and a statement whose arguments need too much memory fails.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { memberOf } from '../../../base/own-members.ts';
import type { Asset, Json, JsonObject } from '../../../model/content-type.ts';
import type { FieldPath } from '../../../model/field-path.ts';
import { asScalarName, orderOf } from '../../../model/values/scalars.ts';
import { isJsonObject } from '../../../model/values/validate-asset.ts';
import { type EvaluationTest, prepareEvaluation } from '../../../query/evaluate.ts';
import { longestOrderedText } from '../../../text/ordered-texts.ts';
import { outOfMemoryError } from '../map-error.ts';
import { valueName } from './find-tests.ts';
import type { Test } from './value-test.ts';

/**
 * Tells whether the running statement must stop. It is asked at one in eight of the rows that a statement visits; before a document
 * or a value is tested, with the number of its characters; before SQL reads a long text, with a part of that number, as this takes less
 * time; and while a document is tested, with 0.
 */
export type IsStopped = (testedCharacters?: number) => boolean;

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
