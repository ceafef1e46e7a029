/**
 * What the cases of batches send them with.
 */
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/validate-asset.ts';
import { memberOf, placesOf } from '../apis/api-under-test.ts';
import type { CmaUnderTest } from '../apis/cma-under-test.ts';
import type { SkipReason } from '../case.ts';

/** The operation of batches. */
export const batchOperation = 'batchAssets';

/** What a batch is sent with beside its operations. */
interface Mode {
  readonly references?: string;
}

/** What became of a batch. */
interface BatchOutcome {
  readonly failed: Json | undefined;
  readonly results: readonly Json[];
}

/** Sends batches. */
export interface BatchBench {
  /** Sends a batch that is answered. */
  send(batch: Json): Promise<BatchOutcome>;
  /** Sends operations, each on its own. */
  run(operations: readonly JsonObject[], mode?: Mode): Promise<BatchOutcome>;
  /** Asks for all or none; the reason when the store cannot. */
  atomic(operations: readonly JsonObject[], status: number): Promise<Json | SkipReason>;
  /** Sends what is refused as a whole, and returns the places that the error names. */
  refuse(body: Json): Promise<readonly string[]>;
}

/** Makes what sends batches to the path of the operation. */
export function createBatchBench(cma: CmaUnderTest, path: string): BatchBench {
  const post = (body: Json, ...statuses: number[]) => cma.call({ method: 'POST', path, body }, ...statuses);
  async function send(batch: Json): Promise<BatchOutcome> {
    const { body } = await post(batch, 200);
    const results = memberOf(body, 'result', 'results');
    return { failed: memberOf(body, 'result', 'failed'), results: Array.isArray(results) ? results : [] };
  }

  return {
    send,
    run: (operations, mode = {}) => send({ operations: [...operations], ...mode }),
    async atomic(operations, status) {
      const { body } = await post({ operations: [...operations], atomic: true }, status, 400);
      const isUnsupported = memberOf(body, 'error', 'code') === 'atomic_unsupported';
      return isUnsupported ? { skipped: 'the store has no transactions' } : (body as Json);
    },
    refuse: async (body) => placesOf((await post(body, 400)).body),
  };
}

/** Whether all or none could not be asked for. */
export const isSkip = (value: Json | SkipReason): value is SkipReason =>
  isJsonObject(value) && 'skipped' in value;

/** What a result says in short. */
export const brief = (result: Json) =>
  ['status', 'outcome', '_id'].map(
    (name) => memberOf(result, name) ?? memberOf(result, 'error', 'code') ?? null,
  );
