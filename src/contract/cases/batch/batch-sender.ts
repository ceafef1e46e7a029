/**
 * Sends batches for the cases of the batch operation.
 */
import type { Json, JsonObject } from '../../../model/content-type.ts';
import { isJsonObject } from '../../../model/values/validate-asset.ts';
import { errorPathsOf, memberOf } from '../../apis/api-under-test.ts';
import type { CmaUnderTest } from '../../apis/cma-under-test.ts';
import type { SkipReason } from '../../case.ts';

export const batchOperation = 'batchAssets';

/** The options of a batch, besides its operations. */
interface Mode {
  readonly references?: string;
}

/** The results of a batch. */
interface BatchOutcome {
  readonly failed: Json | undefined;
  readonly results: readonly Json[];
}

export type BatchSender = ReturnType<typeof createBatchSender>;

/** Creates the sender for the path of the operation. */
export function createBatchSender(cma: CmaUnderTest, path: string) {
  const post = (body: Json, ...statuses: number[]) => cma.call({ method: 'POST', path, body }, ...statuses);
  /** Sends a batch that must be answered 200. */
  async function send(batch: Json): Promise<BatchOutcome> {
    const { body } = await post(batch, 200);
    const results = memberOf(body, 'result', 'results');
    return { failed: memberOf(body, 'result', 'failed'), results: Array.isArray(results) ? results : [] };
  }

  return {
    send,
    /** Sends operations that are independent of each other. */
    run: (operations: readonly JsonObject[], mode: Mode = {}): Promise<BatchOutcome> =>
      send({ operations: [...operations], ...mode }),
    /** Sends an atomic batch; returns the reason when the store has no transactions. */
    async atomic(operations: readonly JsonObject[], status: number): Promise<Json | SkipReason> {
      const { body } = await post({ operations: [...operations], atomic: true }, status, 400);
      const isUnsupported = memberOf(body, 'error', 'code') === 'atomic_unsupported';
      return isUnsupported ? { skipped: 'the store has no transactions' } : (body as Json);
    },
    /** Sends a batch that must be refused as a whole; returns the paths that the error names. */
    refuse: async (body: Json): Promise<readonly string[]> => errorPathsOf((await post(body, 400)).body),
  };
}

/** Whether an atomic batch was skipped. */
export const isSkip = (value: Json | SkipReason): value is SkipReason =>
  isJsonObject(value) && 'skipped' in value;

/** Summarizes a result. */
export const brief = (result: Json) =>
  ['status', 'outcome', '_id'].map(
    (name) => memberOf(result, name) ?? memberOf(result, 'error', 'code') ?? null,
  );
