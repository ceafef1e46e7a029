/**
 * The SQL functions that compiled predicates call, so that case and words mean what they mean everywhere.
 *
 * node:sqlite keeps what a function is handed until the statement ends. So documents are not handed over: they are read by their
 * keys, and a statement that hands over too much of anything else is refused.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Asset } from '../../../model/content-type.ts';
import type { BoundPredicate } from '../../../query/ast.ts';
import { prepareEvaluation } from '../../../query/evaluate.ts';
import { outOfMemoryError } from '../map-error.ts';
import { valueName } from './find-tests.ts';

/** The functions of one connection. */
export interface PredicateFunctions {
  /** Runs a statement that was compiled with these tests. */
  withTests<Result>(tests: readonly BoundPredicate[], run: () => Result): Result;
}

/** About what a call of a function leaves behind until the statement ends, beside a text it is handed, in bytes. */
const keptByCall = 40;

/**
 * Defines on a connection `holds(key, test)` of a row of `assets`, `value_holds(value, test)`, and `go_on()`.
 *
 * Shapes: `test` is the place of a predicate among the tests; what is no text holds nothing. All three throw once `isStopped`
 * says so, or once the statement keeps more than `maxKeptBytes` in memory.
 */
export function definePredicateFunctions(
  database: DatabaseSync,
  { isStopped, maxKeptBytes }: { isStopped: () => boolean; maxKeptBytes: number },
): PredicateFunctions {
  const readAsset = createAssetReader(database);
  let tests: readonly ReturnType<typeof prepareEvaluation>[] = [];
  let keptBytes = 0;
  let lastValue: { readonly value: string; readonly number: unknown; readonly holds: number } | undefined;
  let last: { readonly key: unknown; readonly asset: Asset } | undefined;

  const goOn = (bytes: number) => {
    if (isStopped()) throw new Error('The query is stopped');
    keptBytes += bytes;
    if (keptBytes > maxKeptBytes) throw outOfMemoryError();
    return 1;
  };
  const evaluate = (number: unknown, asset: Asset) => {
    const holds = tests[Number(number)];
    if (!holds) throw new Error(`The statement has no test ${number}`);
    return Number(holds(asset, toNothing));
  };
  database.function('go_on', () => goOn(keptByCall));
  database.function('holds', (key, number) => {
    goOn(keptByCall);
    if (last?.key !== key) last = { key, asset: readAsset(Number(key)) };
    return evaluate(number, last.asset);
  });
  database.function('value_holds', (value, number) => {
    if (typeof value !== 'string') return 0;
    goOn(keptByCall + value.length);
    // An index of a list has equal values side by side.
    if (lastValue?.value !== value || lastValue.number !== number) {
      lastValue = { value, number, holds: evaluate(number, { _id: '', _type: '', [valueName]: value }) };
    }
    return lastValue.holds;
  });
  return {
    withTests(wanted, run) {
      [tests, keptBytes] = [wanted.map(prepareEvaluation), 0];
      try {
        return run();
      } finally {
        [tests, last, lastValue] = [[], undefined, undefined];
      }
    },
  };
}

/** Nothing is tested beyond a reference: what lies there is a condition of its own. */
const toNothing = () => undefined;

function createAssetReader(database: DatabaseSync): (key: number) => Asset {
  let select: StatementSync | undefined;
  return (key) => {
    if (!select) {
      select = database.prepare('SELECT document FROM assets WHERE key = ?');
      select.setReturnArrays(true);
    }
    // A row is an array then, which the declared types do not know; a stored document is an asset.
    const [document] = select.get(key) as unknown as [string];
    return JSON.parse(document) as Asset;
  };
}
