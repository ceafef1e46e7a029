/**
 * How the requests of the content management API are written: the path, the query and the headers of each operation.
 */
import { randomKey } from './clock-and-random.ts';
import { operations } from './cma/operations.gen.ts';
import { type CmaConnection, placeBelow } from './cma-connection.ts';
import type { CallOptions, Idempotency } from './connection.ts';
import type { SuccessResponse } from './read-response.ts';
import { type ServerRequest, sendRequest } from './send-request.ts';

/** The ID of an operation of the OpenAPI document. */
export type OperationId = keyof typeof operations;

/** An operation's request, apart from its method and path. */
export interface OperationCall extends Pick<ServerRequest, 'body' | 'file' | 'repeatable' | 'signal'> {
  readonly id?: string;
  readonly query?: object;
  /** Headers without a value are not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Sends the request of an operation. */
export type SendOperation = (operation: OperationId, call: OperationCall) => Promise<SuccessResponse>;

/** Returns the sender of requests to the API; `release` is a parameter of each of them, if given. */
export function createSender({ connection, cmaPath }: CmaConnection, release?: string): SendOperation {
  return (operation, { id, query, headers, ...request }) => {
    const { method, path } = operations[operation];
    const target = id === undefined ? path : path.replace('{id}', () => encodeId(id));
    return sendRequest(connection, {
      ...request,
      method,
      path: placeBelow(cmaPath, target) + encodeQuery({ ...query, release }),
      headers: checkHeaders(headers),
    });
  };
}

/** Adds an idempotency key, so that a retry does not run the request twice. */
export function keyed(
  { idempotencyKey = randomKey(), signal }: CallOptions & Idempotency,
  headers: Readonly<Record<string, string | undefined>> = {},
) {
  return { headers: { ...headers, 'Idempotency-Key': idempotencyKey }, signal, repeatable: true };
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
export function checkHeaders(headers: OperationCall['headers'] = {}): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // An empty ETag, such as one that CORS hides, must not drop the condition.
    if (value === '') throw new RangeError(`${name} cannot be empty`);
    if (value !== undefined) given[name] = value;
  }
  return given;
}
