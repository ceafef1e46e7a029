/**
 * How large the answer of one run may become, counted before there is any text of it.
 *
 * What is read is counted as it comes from the store, with the fields alone that the operation selects, and the others are let go
 * of. So a run holds no more than its answer may have, and stops reading when that is reached. What is printed several times, as by
 * several aliases, is counted once more in the data that came of it.
 */
import { answerTooLarge, type DomainError } from '../../base/errors.ts';
import { jsonBytes } from '../../base/json-bytes.ts';
import type { Asset } from '../../model/content-type.ts';

/** What one answer may still have. */
export interface AnswerBudget {
  /** Counts an asset and returns the fields of it that the operation selects. Errors: answer_too_large. */
  keep(asset: Asset): Asset;
  /** Does the same for several assets, in order. */
  keepAll(assets: readonly Asset[]): Asset[];
  /** Throws once the answer is too large, when nothing more is to be read for it. Errors: answer_too_large. */
  assertLeft(): void;
  /** Notes that a field of a mutation has written, which a refused answer must not hide; `key` is that of the response. */
  noteWrite(key: string | number): void;
  /** Why the answer has to be refused, if it has. */
  findExcess(data: unknown): DomainError | undefined;
}

/** Makes the budget of one run; `pick` gives of an asset what the operation selects. */
export function createAnswerBudget({
  maxAnswerBytes,
  pick,
}: {
  maxAnswerBytes: number;
  pick: (asset: Asset) => Asset;
}): AnswerBudget {
  const written: string[] = [];
  let left = maxAnswerBytes;
  const refuse = () =>
    answerTooLarge({ maxAnswerBytes, ...(written.length > 0 && { written: [...written] }) });
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
