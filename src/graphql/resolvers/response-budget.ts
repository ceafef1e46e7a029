/**
 * Limits the size of a response while its assets are read, before any of it is written.
 *
 * Each asset is counted when the store returns it, with the selected fields only; the other fields are dropped. So a run holds no
 * more than its response may have, and stops reading when the limit is reached. The final data is counted again, because several
 * aliases can repeat a value.
 */
import { type DomainError, responseTooLarge } from '../../base/errors.ts';
import { jsonBytes } from '../../base/json-bytes.ts';
import type { Asset } from '../../model/content-type.ts';

/** The bytes that one response has left. */
export interface ResponseBudget {
  /** Counts an asset and returns the fields of it that the operation selects. Errors: answer_too_large. */
  keep(asset: Asset): Asset;
  /** Does the same for several assets, in order. */
  keepAll(assets: readonly Asset[]): Asset[];
  /** Throws when the response is too large already, before more is read for it. Errors: answer_too_large. */
  assertLeft(): void;
  /** Records that a field of a mutation has written, so that a refusal can say so; `key` is its response key. */
  noteWrite(key: string | number): void;
  /** Returns an error when the finished response is too large. */
  findExcess(data: unknown): DomainError | undefined;
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
  const refuse = () =>
    responseTooLarge({ maxAnswerBytes, ...(written.length > 0 && { written: [...written] }) });
  const assertLeft = () => {
    if (left < 0) throw refuse();
  };
  const keep = (asset: Asset) => {
    const picked = pick(asset);
    left -= jsonBytes(picked, left);
    assertLeft();
    return picked;
  };
  return {
    keep,
    keepAll: (assets) => assets.map(keep),
    assertLeft,
    noteWrite: (key) => void written.push(String(key)),
    findExcess: (data) =>
      left < 0 || jsonBytes(data, maxAnswerBytes) > maxAnswerBytes ? refuse() : undefined,
  };
}
