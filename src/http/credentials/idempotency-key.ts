/**
 * `Idempotency-Key`: a request that is sent again is answered as it was, and does nothing again.
 *
 * Refusals are kept like every answer below 500, for the same request would be refused again; after a failure it may succeed.
 */
import { fingerprintOf, type IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import type { PreAssignedIds } from '../../content/pre-assigned-ids.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { type HttpAnswer, statusOf, toErrorAnswer } from '../error-map.ts';

/** A request that may bring a key. */
export interface RepeatableRequest {
  readonly operationId: string;
  readonly clientId: string;
  /** As openapi/cma.yaml has it. */
  readonly key: string | undefined;
  readonly body: JsonObject;
}

/** How a request is answered; `reserved` is absent when it has no key. */
export interface Work<Answer extends HttpAnswer> {
  run(reserved?: PreAssignedIds): Promise<Answer>;
  /** Whether an answer tells of no failure; absent means that none does. */
  isFinal?(answer: Answer): boolean;
}

/** Answers a request by `work`, or as it was answered before. */
export type WithIdempotencyKey = <Answer extends HttpAnswer>(
  request: RepeatableRequest,
  work: Work<Answer>,
) => Promise<Answer>;

/** Makes it over the requests that are kept. Errors: idempotency_key_reused; those of `work`. */
export function createIdempotencyKeyHandler(requests: IdempotentRequests): WithIdempotencyKey {
  return async <Answer extends HttpAnswer>(request: RepeatableRequest, work: Work<Answer>) => {
    const { operationId, clientId: owner, key, body } = request;
    if (key === undefined) return work.run();
    let isFinal = true;
    const { answer, isReplayed } = await requests.run(
      { key, owner, fingerprint: fingerprintOf(operationId, body), isFinal: () => isFinal },
      async (reserved) => {
        try {
          const made = await work.run(reserved);
          isFinal = work.isFinal?.(made) ?? true;
          return toJson(made);
        } catch (error) {
          if (statusOf(error) >= 500) throw error;
          return toJson(toErrorAnswer(error));
        }
      },
    );
    const headers = { ...answer.headers, ...(isReplayed ? { 'Idempotency-Replayed': 'true' } : {}) };
    // What is kept is what `work` has answered, or an error's answer, which every operation documents.
    return { ...answer, headers } as unknown as Answer;
  };
}

/** An answer consists of JSON: what is sent and what is kept are the same. */
function toJson(answer: HttpAnswer): { status: number; headers?: JsonObject; body?: Json } {
  return answer as { status: number; headers?: JsonObject; body?: Json };
}
