/**
 * How the content management API of a server is reached, and how the requests of its operations are written: their path, query and headers.
 */

import { randomKey } from './clock-and-random.ts';
import { basePath, operations } from './cma/operations.gen.ts';
import {
  type CallOptions,
  type ConnectionOptions,
  createConnection,
  type Idempotency,
} from './connection.ts';
import type { SuccessResponse } from './read-response.ts';
import { type ServerRequest, sendRequest } from './send-request.ts';

/** The server's address and the API client's credentials. */
export interface ClientOptions extends ConnectionOptions {
  clientId: string;
  clientSecret: string;
  /** The base path of the content management API, if it is not the default. */
  cmaPath?: string | undefined;
  /** The name of the run that all writes belong to, by which they can be reverted together. */
  run?: string | undefined;
}

/** A server, and where it has the API. */
type CmaConnection = ReturnType<typeof connectToCma>;

/** Checks the options. Throws a TypeError or RangeError for an invalid one. */
export function connectToCma({ clientId, clientSecret, cmaPath = basePath, run, ...options }: ClientOptions) {
  const credentials = { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret };
  const connection = createConnection(
    options,
    run === undefined ? credentials : { ...credentials, 'X-Run': run },
  );
  if (!/^(\/[^/?#]+)+$/.test(cmaPath)) throw new TypeError(`cmaPath must be a path such as ${basePath}`);
  return { connection, cmaPath };
}

/** Replaces the base path that the document has by that of the server. */
export const placeBelow = (cmaPath: string, path: string): string =>
  path.startsWith(basePath) ? cmaPath + path.slice(basePath.length) : path;

/** A request, apart from its method. */
interface OperationRequest extends Omit<ServerRequest, 'method' | 'headers' | 'repeatable'> {
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

/** What a function of the client sends. */
interface OperationCall
  extends Pick<OperationRequest, 'body' | 'file' | 'repeatable'>,
    CallOptions,
    Idempotency {
  readonly id?: string;
  readonly query?: object;
  /** That of the body, unless it is `application/json`. */
  readonly contentType?: string;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly baseVersion?: string | undefined;
  readonly validate?: boolean | undefined;
}

/** Creates the sender of a client's requests; `release` is a parameter of each of them, if given. */
export function createSender(cma: CmaConnection, release?: string) {
  return (name: keyof typeof operations, call: OperationCall): Promise<SuccessResponse> => {
    const {
      id,
      query,
      contentType,
      ifMatch,
      ifNoneMatch,
      baseVersion,
      validate,
      idempotencyKey,
      ...request
    } = call;
    const operation = operations[name];
    const path = id === undefined ? operation.path : operation.path.replace('{id}', () => encodeId(id));
    return sendOperation(cma, operation, {
      ...request,
      path: path + encodeQuery({ ...query, validate: validate || undefined, release }),
      headers: {
        'Content-Type': contentType,
        'If-Match': ifMatch,
        'If-None-Match': ifNoneMatch,
        'X-Base-Version': baseVersion,
        'idempotency-key': idempotencyKey,
      },
    });
  };
}

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
