/** A client generated from the document of a REST endpoint, and a server that records its requests. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runOpenApiTs } from '../../../src/codegen/client/run-openapi-ts.ts';
import { compileTypeScript } from '../../../src/codegen/compile-typescript.ts';
import type { OpenApiDocument } from '../../../src/documents/openapi-document.ts';
import type { JsonObject } from '../../../src/model/content-type.ts';

/** A received request. */
export interface Received {
  readonly method: string | undefined;
  readonly path: string;
  /** The text after `?`. */
  readonly query: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Calls of a generated client, by operation ID. */
export type Calls = Readonly<Record<string, (options?: object) => Promise<{ readonly data?: unknown }>>>;

/** Generates the modules of a client and compiles them together with the source text `usage`. */
export async function generateModules(
  document: JsonObject,
  usage = '',
): Promise<ReadonlyMap<string, string>> {
  const openApi: OpenApiDocument = JSON.parse(JSON.stringify(document));
  const files = await runOpenApiTs(openApi, ['@hey-api/typescript', '@hey-api/client-fetch', '@hey-api/sdk']);
  return compileTypeScript(new Map([...files, ['usage.ts', usage]]));
}

/** Runs `use` with the calls of a client, and returns the recorded requests. */
export async function withClient(
  modules: ReadonlyMap<string, string>,
  use: (client: { calls: Calls; received: Received[]; options: { baseUrl: string } }) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-routes-'));
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const body = (await request.toArray()).join('');
    received.push({ method: request.method, path, query, headers: request.headers, body });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"data":{}}');
  });
  try {
    for (const [path, text] of modules) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an address of this kind.
    const { port } = server.address() as AddressInfo;
    const calls: Calls = await import(join(folder, 'sdk.gen.js'));
    await use({ calls, received, options: { baseUrl: `http://127.0.0.1:${port}` } });
  } finally {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  }
}
