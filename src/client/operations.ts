/**
 * The module that `colophon-client/operations` stands for: each operation of the content management API as its document has it. The calls
 * are generated; this file sends them like those of `createClient`.
 */

import { randomKey } from './clock-and-random.ts';
import { operations } from './cma/operations.gen.ts';
import { Operations } from './cma/sdk.gen.ts';
import { type ClientOptions, type CmaConnection, connectToCma, placeBelow } from './cma-connection.ts';
import { ColophonError } from './errors.ts';
import {
  createConfig,
  createClient as createHttpClient,
  type ResolvedRequestOptions,
} from './http/client/index.ts';
import { checkHeaders } from './operation-request.ts';
import { type ServerRequest, sendRequest } from './send-request.ts';

export type { Operations } from './cma/sdk.gen.ts';
export type * from './cma/types.gen.ts';
export type { ClientOptions } from './cma-connection.ts';
export type { ConnectionOptions } from './connection.ts';
export * from './errors.ts';

/**
 * Creates the operations; nothing is sent until one of them is called. Each rejects with a ColophonError.
 *
 * Requests with GET or HEAD, and those whose operation documents an `Idempotency-Key`, are repeated after a lost connection. The key is
 * random unless it is given.
 */
export function createOperations(options: ClientOptions): Operations {
  const cma = connectToCma(options);
  const { baseUrl, fetch } = cma.connection;
  const client = createHttpClient(createConfig({ baseUrl, fetch, throwOnError: true }));
  client.interceptors.request.use((request, call) => {
    const { fetch: fetchOnce = fetch, ...init } = call;
    const path = client.buildUrl({ ...call, baseUrl: '' });
    // Called in place of the one that the call has, once all interceptors have run.
    call.fetch = () =>
      send(
        { ...cma, connection: { ...cma.connection, fetch: fetchOnce } },
        { method: request.method, path, call: init },
      );
    return request;
  });
  client.interceptors.error.use((error, response) => {
    if (!(error instanceof SyntaxError && response)) return error;
    return new ColophonError('The response is not valid JSON', {
      code: 'unexpected_answer',
      status: response.status,
      cause: error,
    });
  });
  return new Operations({ client });
}

/** A call that the generated code has made. */
interface Call {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly call: ResolvedRequestOptions;
}

interface OperationFacts {
  readonly method: string;
  readonly path: string;
  readonly mediaTypes: readonly string[];
  readonly isKeyed?: boolean;
}

const table: readonly OperationFacts[] = Object.values(operations);

async function send({ connection, cmaPath }: CmaConnection, { method, path, call }: Call): Promise<Response> {
  const operation = table.find((one) => one.method === method && one.path === call.url);
  const isKeyed = operation?.isKeyed ?? false;
  assertSegments(call.path);
  const { status, headers, bytes } = await sendRequest(connection, {
    method,
    path: placeBelow(cmaPath, path),
    headers: headersOf(call, isKeyed),
    ...contentOf(call),
    mediaTypes: operation?.mediaTypes,
    repeatable: isKeyed || method === 'GET' || method === 'HEAD',
    fetchOptions: call,
    signal: call.signal ?? undefined,
  });
  if (status !== 304) return new Response(bytes?.byteLength ? bytes : null, { status, headers });
  throw new ColophonError(`${method} ${call.url} found nothing newer`, { code: 'not_modified', status });
}

/** Refuses dot segments, which URL parsing would remove, and empty ones, which lead to another operation. */
function assertSegments(path: ResolvedRequestOptions['path'] = {}): void {
  for (const [name, value] of Object.entries(path)) {
    if (/^\.{0,2}$/.test(String(value))) throw new RangeError(`${name} cannot be "${value}" in a path`);
  }
}

function headersOf({ headers }: ResolvedRequestOptions, isKeyed: boolean): Record<string, string> {
  const given = checkHeaders(Object.fromEntries(headers));
  // The document allows any type: that of the file is sent.
  if (given['content-type']?.includes('*')) delete given['content-type'];
  return isKeyed ? { 'idempotency-key': randomKey(), ...given } : given;
}

/** The body as the generated code has serialized it, if at all. */
function contentOf({
  body,
  serializedBody,
}: ResolvedRequestOptions): Pick<ServerRequest, 'content' | 'file'> {
  if (body instanceof Blob) return { file: { blob: body } };
  // The generated types allow only what `fetch` sends.
  const content = serializedBody ?? (body as ServerRequest['content']);
  return content === undefined ? {} : { content };
}
