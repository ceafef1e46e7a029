/**
 * Limits the size of a response while its assets are read, before any of it is written.
 *
 * Each asset is counted when the store returns it, with the selected fields only; the other fields are dropped. So a run holds no
 * more than its response may have, and stops reading when the limit is reached. The final data is counted again, because several
 * aliases can repeat a value.
 */
import { type DomainError, responseTooLarge } from '../../base/errors.ts';
import { addJsonSize, type JsonSize, jsonBytes } from '../../base/json-bytes.ts';
import type { Asset } from '../../model/content-type.ts';

/** The bytes that one response has left. */
export type ResponseBudget = ReturnType<typeof createResponseBudget>;

/** Creates the budget of one run; `pick` returns the fields of an asset that the operation selects. */
export function createResponseBudget({
  maxAnswerBytes,
  pick,
}: {
  maxAnswerBytes: number;
  pick: (asset: Asset) => Asset;
}) {
  const written: string[] = [];
  let left = maxAnswerBytes;
  const completed: JsonSize = { least: 0, most: 0 };
  const refuse = () =>
    responseTooLarge({ maxAnswerBytes, ...(written.length > 0 && { written: [...written] }) });
  /** Throws when the response is too large already, before more is read for it. Errors: answer_too_large. */
  const assertLeft = () => {
    if (left < 0) throw refuse();
  };
  const assertCompletable = () => {
    if (completed.least > maxAnswerBytes) throw refuse();
  };
  /** Counts an asset and returns the fields of it that the operation selects. Errors: answer_too_large. */
  const keep = (asset: Asset): Asset => {
    const picked = pick(asset);
    const size = { least: 0, most: 0 };
    addJsonSize(size, picked);
    left -= size.least;
    assertLeft();
    return picked;
  };
  /** Takes back the count of assets that were kept, and that the response does not have after all. */
  const giveBack = (kept: readonly Asset[]) => {
    const size = { least: 0, most: 0 };
    for (const asset of kept) addJsonSize(size, asset);
    left += size.least;
  };
  return {
    keep,
    /** Does the same for several assets, in order. */
    keepAll: (assets: readonly Asset[]) => assets.map(keep),
    giveBack,
    assertLeft,
    /** Records that a field of a mutation has written, so that a refusal can say so; `key` is its response key. */
    noteWrite: (key: string | number): void => void written.push(String(key)),
    /** Counts a value of the data, when it is completed. Errors: answer_too_large. */
    countValue(value: unknown) {
      addJsonSize(completed, value);
      assertCompletable();
    },
    /** Counts what the data has besides values: keys, brackets and nulls. Errors: answer_too_large. */
    countRest(least: number, most: number = least) {
      completed.least += least;
      completed.most += most;
      assertCompletable();
    },
    /** Returns an error when the finished response is too large. `isCounted` says that all of it was counted when it was completed. */
    findExcess(data: unknown, isCounted: boolean): DomainError | undefined {
      if (left < 0 || completed.least > maxAnswerBytes) return refuse();
      if (isCounted && completed.most <= maxAnswerBytes) return undefined;
      return jsonBytes(data, maxAnswerBytes) > maxAnswerBytes ? refuse() : undefined;
    },
    /** Tells whether the response is so large that it takes long to print. */
    isLarge: () => Math.max(completed.least, maxAnswerBytes - left) > largeBytes,
  };
}

/** A response of this size takes about a millisecond to print. */
const largeBytes = 262_144;
