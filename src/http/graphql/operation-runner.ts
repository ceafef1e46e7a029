/**
 * Runs the operations of GraphQL endpoints and mapped routes: mutations with their `Idempotency-Key`, as in the content management API.
 *
 * A response is stored for 24 hours. What it contains of assets is erased with them, so the stored response names them.
 */
import type { IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import { invalidParameter } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import type { GraphqlResponse, PreparedOperation } from '../../graphql/operation.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { createIdempotencyKeyHandler, type StoredResponse } from '../credentials/idempotency-key.ts';
import type { Request, Response } from '../request/http-request.ts';
import type { RequestLocals } from '../request/request-locals.ts';
import { logFailures } from '../serving-context.ts';
import type { GraphqlBody } from './graphql-response.ts';

/** The response to an operation, as a GraphQL endpoint or a route gives it. */
interface OperationResult {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a mutation, the body that GraphQL has. */
  readonly body: unknown;
}

/** A request to run an operation. */
export interface OperationRequest<Result extends OperationResult> {
  readonly operation: PreparedOperation;
  /** Identifies the request among those with the same key: where it was sent, and its parameters. */
  readonly route: string;
  readonly parameters: JsonObject;
  readonly input: Omit<Parameters<PreparedOperation['run']>[0], 'reserved'>;
  toResult(response: GraphqlResponse): Result;
}

/**
 * Runs an operation, or returns the stored response of the same request. Queries ignore the header.
 *
 * Errors: invalid_parameter for a malformed key, a sender without credentials and a mutation with several fields;
 * idempotency_key_reused; rate_limited; not_found when an asset in the response was erased; store_busy.
 */
export type OperationRunner = <Result extends OperationResult>(
  http: { readonly request: Request; readonly response: Response },
  request: OperationRequest<Result>,
) => Promise<Result>;

/** Creates the function. */
export function createOperationRunner({
  requests,
  logger,
}: {
  requests: IdempotentRequests;
  logger: Logger;
}): OperationRunner {
  const withIdempotencyKey = createIdempotencyKeyHandler(requests);
  return async <Result extends OperationResult>(
    { request, response }: { request: Request; response: Response },
    { operation, route, parameters, input, toResult }: OperationRequest<Result>,
  ) => {
    const sender = readSender(request, response, operation);
    let sources: GraphqlResponse['sources'];
    return withIdempotencyKey<Result>(
      { operationId: route, body: parameters, ...sender },
      {
        async run(reserved) {
          const ran = await operation.run({ ...input, ...(reserved && { reserved }) });
          const result = toResult(ran);
          // The errors of a run whose work another run has taken over count for nothing.
          if (reserved && !isFinal(result)) await reserved.assertCurrent();
          logFailures(logger, response, ran);
          ({ sources } = ran);
          return result;
        },
        isFinal,
        assetsIn: () => [...(sources?.assets.keys() ?? [])],
        keep: (stored) => (sources?.hasMore || isLarge(stored) ? withoutData(stored) : stored),
      },
    );
  };
}

/** Reads the key of a mutation and whose it is. Errors: invalid_parameter. */
function readSender(
  request: Request,
  response: Response,
  { kind, isSingleMutation }: PreparedOperation,
): { readonly clientId: string; readonly key: string | undefined } {
  // The application sets the locals.
  const { clientId } = (response.locals as RequestLocals).client ?? {};
  const key = kind === 'mutation' ? request.headers[header.toLowerCase()]?.toString() : undefined;
  if (key === undefined) return { clientId: clientId ?? '', key };
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidParameter(header, 'must be 1 to 255 characters of ASCII, without spaces');
  if (clientId === undefined) throw invalidParameter(header, 'needs credentials, which are not used here');
  if (!isSingleMutation)
    throw invalidParameter(
      header,
      'is for a mutation with one field: send several mutations, each with a key',
    );
  return { clientId, key };
}

const header = 'Idempotency-Key';

/** Whether a response reports no failure of the service, and not that its run refuses it. */
function isFinal({ body }: OperationResult): boolean {
  // The operation is a mutation.
  const { errors = [] } = body as GraphqlBody;
  return errors.every(
    ({ extensions: { http, code } }) =>
      (http?.status ?? 400) < 500 && code !== 'run_closed' && code !== 'run_foreign',
  );
}

const maxStoredCharacters = 1_048_576;

const isLarge = ({ body }: StoredResponse) => JSON.stringify(body).length > maxStoredCharacters;

/** Replaces a response that is too large to be stored. The request, sent again, still changes nothing. */
function withoutData({ body, ...response }: StoredResponse): StoredResponse {
  // The body is that of an operation.
  const { extensions } = body as JsonObject;
  const message =
    'The mutation was carried out, but its response has more than 1,000 assets or 1 MiB, which is not kept: read the assets';
  const errors = [{ message, extensions: { code: 'answer_too_large' } }];
  return { ...response, status: 400, body: { errors, ...(extensions === undefined ? {} : { extensions }) } };
}
