/**
 * Limits the size of a response while its assets are read, before any of it is written.
 *
 * Each asset is counted when the store returns it, with the selected fields only; the other fields are dropped. So a run holds no
 * more than its response may have, and stops reading when the limit is reached. The final data is counted again, because several
 * aliases can repeat a value.
 */
import { type DomainError, responseTooLarge } from '../../base/errors.ts';
import { jsonBytes, leastJsonBytes, maxCountFactor } from '../../base/json-bytes.ts';
import type { Asset } from '../../model/content-type.ts';

/** The bytes that one response has left. */
export interface ResponseBudget {
  /** Counts an asset and returns the fields of it that the operation selects. Errors: answer_too_large. */
  keep(asset: Asset): Asset;
  /** Does the same for several assets, in order. */
  keepAll(assets: readonly Asset[]): Asset[];
  /** Throws when the response is too large already, before more is read for it. Errors: answer_too_large. */
  assertLeft(): void;
  /** Counts bytes that the data of the response will have at least, when it is completed. Errors: answer_too_large. */
  countWritten(leastBytes: number): void;
  /** Records that a field of a mutation has written, so that a refusal can say so; `key` is its response key. */
  noteWrite(key: string | number): void;
  /** Returns an error when the finished response is too large. `isCounted` says that `countWritten` has counted all of it. */
  findExcess(data: unknown, isCounted: boolean): DomainError | undefined;
}

/** Creates the budget of one run; `pick` returns the fields of an asset that the operation selects. */
export function createResponseBudget({
  maxAnswerBytes,
  pick,
}: {
  maxAnswerBytes: number;
  pick: (asset: Asset) => Asset;
}): ResponseBudget {
  const written: string[] = [];
  let left = maxAnswerBytes;
  let writtenBytes = 0;
  const refuse = () =>
    responseTooLarge({ maxAnswerBytes, ...(written.length > 0 && { written: [...written] }) });
  const assertLeft = () => {
    if (left < 0) throw refuse();
  };
  const keep = (asset: Asset) => {
    const picked = pick(asset);
    left -= leastJsonBytes(picked);
    assertLeft();
    return picked;
  };
  return {
    keep,
    keepAll: (assets) => assets.map(keep),
    assertLeft,
    noteWrite: (key) => void written.push(String(key)),
    countWritten(leastBytes) {
      writtenBytes += leastBytes;
      if (writtenBytes > maxAnswerBytes) throw refuse();
    },
    findExcess(data, isCounted) {
      if (left < 0 || writtenBytes > maxAnswerBytes) return refuse();
      const isSmall = isCounted && writtenBytes * maxCountFactor <= maxAnswerBytes;
      return !isSmall && jsonBytes(data, maxAnswerBytes) > maxAnswerBytes ? refuse() : undefined;
    },
  };
}
