/**
 * `Idempotency-Key`: a repeated request gets the stored response and has no further effect.
 *
 * Every response below 500 is stored, also refusals, because the same request would be refused again. A request that failed runs again
 * when it is repeated.
 */
import { fingerprintOf, type IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import type { PreAssignedIds } from '../../content/pre-assigned-ids.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { type HttpAnswer, statusOf, toErrorAnswer } from '../error-map.ts';

/** What identifies a request to an idempotent operation, with or without a key. */
export interface RequestIdentity {
  readonly operationId: string;
  readonly clientId: string;
  /** The header `Idempotency-Key`, validated against openapi/cma.yaml; absent if the request has none. */
  readonly key: string | undefined;
  readonly body: JsonObject;
}

/** The work that a request asks for. */
export interface RequestWork<Answer extends HttpAnswer> {
  /** Handles the request. `reserved` is set only for requests with an Idempotency-Key. */
  run(reserved?: PreAssignedIds): Promise<Answer>;
  /** Tells whether a response reports no failure and can be stored; if absent, every response can. */
  isFinal?(answer: Answer): boolean;
}

/** Runs `work` and returns its response, or returns the stored response of the same request. */
export type WithIdempotencyKey = <Answer extends HttpAnswer>(
  request: RequestIdentity,
  work: RequestWork<Answer>,
) => Promise<Answer>;

/** Creates the function that runs requests with their idempotency keys. Errors: idempotency_key_reused; those of `work`. */
export function createIdempotencyKeyHandler(requests: IdempotentRequests): WithIdempotencyKey {
  return async <Answer extends HttpAnswer>(request: RequestIdentity, work: RequestWork<Answer>) => {
    const { operationId, clientId: owner, key, body } = request;
    if (key === undefined) return work.run();
    let isFinal = true;
    const { answer, isReplayed } = await requests.run(
      { key, owner, fingerprint: fingerprintOf(operationId, body), isFinal: () => isFinal },
      async (reserved) => {
        try {
          const result = await work.run(reserved);
          isFinal = work.isFinal?.(result) ?? true;
          return toJson(result);
        } catch (error) {
          if (statusOf(error) >= 500) throw error;
          return toJson(toErrorAnswer(error));
        }
      },
    );
    const headers = { ...answer.headers, ...(isReplayed ? { 'Idempotency-Replayed': 'true' } : {}) };
    // The stored response is that of `work`, or of an error, which every operation documents.
    return { ...answer, headers } as unknown as Answer;
  };
}

/** Returns a response as JSON, which is stored and sent without a difference. */
function toJson(answer: HttpAnswer): { status: number; headers?: JsonObject; body?: Json } {
  return answer as { status: number; headers?: JsonObject; body?: Json };
}
