/**
 * How the requests of the content management API are written: the path, the query and the headers of each operation.
 */
import { randomKey } from './clock-and-random.ts';
import { operations } from './cma/operations.gen.ts';
import { type CmaConnection, placeBelow } from './cma-connection.ts';
import type { CallOptions, Idempotency } from './connection.ts';
import type { SuccessResponse } from './read-response.ts';
import { type ServerRequest, sendRequest } from './send-request.ts';

/** A request, apart from its method. */
export interface OperationRequest extends Omit<ServerRequest, 'method' | 'headers' | 'repeatable'> {
  /** Headers without a value are not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Unless given, requests that read are repeatable, and those with an `Idempotency-Key`. */
  readonly repeatable?: boolean;
}

/** Sends the request of an operation, with an `Idempotency-Key` if it documents one. */
export function sendOperation(
  { connection, cmaPath }: CmaConnection,
  { method, isKeyed }: { readonly method: string; readonly isKeyed: boolean },
  { path, headers, repeatable, ...request }: OperationRequest,
): Promise<SuccessResponse> {
  return sendRequest(connection, {
    ...request,
    method,
    path: placeBelow(cmaPath, path),
    headers: { ...(isKeyed ? { 'idempotency-key': randomKey() } : {}), ...checkHeaders(headers) },
    repeatable: repeatable ?? (isKeyed || method === 'GET' || method === 'HEAD'),
  });
}

/** The request of a function of the client. */
export interface OperationCall
  extends Pick<OperationRequest, 'body' | 'file' | 'headers' | 'repeatable'>,
    CallOptions,
    Idempotency {
  readonly id?: string;
  readonly query?: object;
}

/** Sends the request of an operation. */
export type SendOperation = (
  operation: keyof typeof operations,
  call: OperationCall,
) => Promise<SuccessResponse>;

/** Returns the sender of requests to the API; `release` is a parameter of each of them, if given. */
export function createSender(cma: CmaConnection, release?: string): SendOperation {
  return (name, { id, query, headers, idempotencyKey, ...request }) => {
    const operation = operations[name];
    const path = id === undefined ? operation.path : operation.path.replace('{id}', () => encodeId(id));
    return sendOperation(cma, operation, {
      ...request,
      path: path + encodeQuery({ ...query, release }),
      headers: { ...headers, 'idempotency-key': idempotencyKey },
    });
  };
}

/** The parameter of a write that is only checked. */
export const checking = (validate: boolean | undefined) => (validate ? { validate } : {});

/** Refuses dot segments, which URL parsing would remove. */
function encodeId(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new RangeError(`An asset's ID cannot be "${id}"`);
  return encodeURIComponent(id);
}

/** Writes a query string, which begins with `?` unless it is empty. */
export function encodeQuery(query: object = {}): string {
  const pairs = Object.entries(query)
    .flatMap(([name, value]) => listOf(name, value).map((single) => [name, single]))
    .filter(([, single]) => single !== undefined)
    .map(([name, single]) => `${name}=${encodeURIComponent(String(single))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Only `values` is repeated for each item; other lists have commas between their items. */
const listOf = (name: string, value: unknown): readonly unknown[] =>
  Array.isArray(value) && name !== 'values' ? [value.join(',')] : [value].flat();

/** Removes the headers without a value. Throws a RangeError for an empty one. */
export function checkHeaders(headers: OperationRequest['headers'] = {}): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // An empty ETag, such as one that CORS hides, must not drop the condition.
    if (value === '') throw new RangeError(`${name} cannot be empty`);
    if (value !== undefined) given[name] = value;
  }
  return given;
}
