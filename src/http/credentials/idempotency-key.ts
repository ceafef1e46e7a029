/**
 * `Idempotency-Key`: a repeated request gets the first response and has no further effect.
 *
 * Every response below 500 is stored, also refusals, because the same request would be refused again. A request that failed runs again
 * when it is repeated, and so does one whose run was refused, since it may be repeated with another `X-Run`.
 */
import { fingerprintOf, type IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import { isDomainError } from '../../base/errors.ts';
import type { PreAssignedIds } from '../../content/pre-assigned-ids.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { type HttpResponse, statusOf, toErrorResponse } from '../error-map.ts';
import type { UsedTypes } from '../operation-handlers.ts';
import { parseIfMatch } from '../response/streamed-body.ts';

/** What identifies a request to an idempotent operation, with or without a key. */
export interface RequestIdentity {
  readonly operationId: string;
  readonly clientId: string;
  /** The header `Idempotency-Key`, validated against openapi/cma.yaml; absent if the request has none. */
  readonly key: string | undefined;
  /** Everything else that distinguishes the request from others of its operation. */
  readonly body: JsonObject;
  /** The `_id` of the asset that the request is about, whose values also a refusal may contain; absent if there is none. */
  readonly asset?: string;
}

/** A request as its handler has it; `body` is what identifies it besides its operation. */
interface ReceivedRequest {
  readonly body: object;
  readonly headers: { readonly 'idempotency-key'?: string };
  readonly client: { readonly clientId: string };
}

export function identifyRequest(
  operationId: string,
  { body, headers, client }: ReceivedRequest,
): RequestIdentity {
  // A body is parsed from JSON; other identifying parts are texts and lists of texts.
  return {
    operationId,
    clientId: client.clientId,
    key: headers['idempotency-key'],
    body: body as JsonObject,
  };
}

/** The types that a request has used are not part of its stored response: a repeated request uses none. */
interface Used {
  readonly usedTypes?: UsedTypes;
}

/** Names an asset as it was after a change. */
export type AssetState = { readonly id: string; readonly version: string };

/** The work that a request asks for. */
export interface RequestWork<Result extends HttpResponse & Used> {
  /** Handles the request. `reserved` is set only for requests with an Idempotency-Key. */
  run(reserved?: PreAssignedIds): Promise<Result>;
  /** Tells whether a response reports no failure and can be stored; if absent, every response can. */
  isFinal?(response: Result): boolean;
  /** Lists the `_id`s of the assets that a response contains; if absent, responses contain none. */
  assetsIn?(response: Result): readonly string[];
  /** Replaces a response that cannot be stored; if absent, every response can. */
  keep?(response: StoredResponse): StoredResponse;
  /**
   * Builds the body of a response from the history. If present, responses to logged writes are stored without their bodies, which
   * may be as large as any asset.
   */
  rebuild?(state: AssetState): Promise<Result['body']>;
}

/** Runs `work` and returns its response, or returns the stored response of the same request. */
export type WithIdempotencyKey = <Result extends HttpResponse & Used>(
  request: RequestIdentity,
  work: RequestWork<Result>,
) => Promise<Result>;

/** Creates the function that runs requests with their idempotency keys. Errors: idempotency_key_reused; those of `work`. */
export function createIdempotencyKeyHandler(
  requests: IdempotentRequests,
  toResponse: (error: unknown) => HttpResponse = toErrorResponse,
): WithIdempotencyKey {
  return async <Result extends HttpResponse & Used>(request: RequestIdentity, work: RequestWork<Result>) => {
    const { operationId, clientId: owner, key, body } = request;
    if (key === undefined) return work.run();
    let isFinal = true;
    let usedTypes: UsedTypes | undefined;
    let assets: readonly string[] = request.asset === undefined ? [] : [request.asset];
    const { response, isReplayed } = await requests.run<StoredResponse>(
      {
        key,
        owner,
        fingerprint: fingerprintOf(operationId, body),
        isFinal: () => isFinal,
        keep: (response) =>
          work.rebuild ? withoutAsset(response, assets[0]) : (work.keep?.(response) ?? response),
        assetsIn: () => assets,
      },
      async (reserved) => {
        try {
          const result = await work.run(reserved);
          isFinal = work.isFinal?.(result) ?? true;
          assets = work.assetsIn?.(result) ?? assets;
          usedTypes = result.usedTypes;
          return toJson(result);
        } catch (error) {
          if (statusOf(error) >= 500 || isAboutRun(error)) throw error;
          return toJson(toResponse(error));
        }
      },
    );
    const { state, ...rest } = response;
    const rebuilt = state && { body: await work.rebuild?.(state) };
    const headers = { ...rest.headers, ...(isReplayed ? { 'Idempotency-Replayed': 'true' } : {}) };
    // The response is that of `work`, or of an error, which every operation documents.
    return { ...rest, ...rebuilt, headers, ...(usedTypes && { usedTypes }) } as unknown as Result;
  };
}

/** Replaces the asset in a response by its version, if the store has logged the write. */
function withoutAsset({ body, ...response }: StoredResponse, id: string | undefined): StoredResponse {
  const { ETag, 'X-Change': change } = response.headers ?? {};
  const [version] = parseIfMatch(typeof ETag === 'string' ? ETag : undefined) ?? [];
  const isLogged = id !== undefined && version !== undefined && change !== undefined;
  return { ...response, ...(isLogged ? { state: { id, version } } : body !== undefined && { body }) };
}

const isAboutRun = (error: unknown) =>
  isDomainError(error, 'run_closed') || isDomainError(error, 'run_foreign');

/** Returns a response as JSON, which is stored and sent without a difference. */
function toJson({ usedTypes: _, ...response }: HttpResponse & Used): StoredResponse {
  return response as StoredResponse;
}

/** A stored response. `state` replaces a body that is built from the history. */
export type StoredResponse = {
  readonly status: number;
  readonly headers?: JsonObject;
  readonly body?: Json;
  readonly state?: AssetState;
};
