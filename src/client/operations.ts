/**
 * The module that `colophon-client/operations` stands for: each operation of the content management API as its document has it. The calls
 * are generated; this file sends them like those of `createClient`.
 */

import { operations } from './cma/operations.gen.ts';
import { Operations } from './cma/sdk.gen.ts';
import { type ClientOptions, connectToCma, sendOperation } from './cma-request.ts';
import { ColophonError } from './errors.ts';
import {
  createConfig,
  createClient as createHttpClient,
  type ResolvedRequestOptions,
} from './http/client/index.ts';
import type { ServerRequest } from './send-request.ts';

export type { Operations } from './cma/sdk.gen.ts';
export type * from './cma/types.gen.ts';
export type { ClientOptions } from './cma-request.ts';
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
  const byRequest = new Map(Object.values(operations).map((one) => [`${one.method} ${one.path}`, one]));
  const client = createHttpClient(createConfig({ baseUrl, fetch, throwOnError: true }));
  client.interceptors.request.use((request, call) => {
    const path = client.buildUrl({ ...call, baseUrl: '' });
    const connection = { ...cma.connection, fetch: call.fetch ?? fetch };
    const operation = byRequest.get(`${call.method} ${call.url}`);
    // Called in place of the one that the call has, once all interceptors have run.
    call.fetch = () => send({ ...cma, connection }, { operation, call, path });
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

/** Sends the request of a call as the generated code has written it; `path` has the query. */
async function send(
  cma: ReturnType<typeof connectToCma>,
  {
    operation,
    call,
    path,
  }: {
    operation: (typeof operations)[keyof typeof operations] | undefined;
    call: ResolvedRequestOptions;
    path: string;
  },
): Promise<Response> {
  for (const [name, value] of Object.entries(call.path ?? {})) {
    // URL parsing would remove dot segments, and an empty one leads to another operation.
    if (/^\.{0,2}$/.test(String(value))) throw new RangeError(`${name} cannot be "${value}" in a path`);
  }
  // A file has its own media type in place of the range that the document has.
  if (call.headers.get('Content-Type')?.includes('*')) call.headers.delete('Content-Type');
  // The document has two types of patches, of which only a JSON Patch is a list.
  if (Array.isArray(call.body) && call.headers.get('Content-Type') === 'application/merge-patch+json') {
    call.headers.set('Content-Type', 'application/json-patch+json');
  }
  const { method = 'GET', url } = call;
  // The generated types allow only what `fetch` sends.
  const content = call.serializedBody ?? (call.body as ServerRequest['content']);
  const { status, headers, bytes } = await sendOperation(cma, operation ?? { method, isKeyed: false }, {
    path,
    headers: Object.fromEntries(call.headers),
    ...(content instanceof Blob ? { file: { blob: content } } : { content }),
    mediaTypes: operation?.mediaTypes,
    fetchOptions: call,
    signal: call.signal ?? undefined,
  });
  if (status !== 304) return new Response(bytes?.byteLength ? bytes : null, { status, headers });
  throw new ColophonError(`${method} ${url} found nothing newer`, { code: 'not_modified', status });
}
