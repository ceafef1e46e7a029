/**
 * Generates the server's types and validators of a document, compiles handlers of sample operations against the types, and serves them.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { createRequestOrigins } from '../../src/base/request-origin.ts';
import { silentLogger } from '../../src/base/runtime.ts';
import { readInput } from '../../src/codegen/input.ts';
import { generateOperationTypes } from '../../src/codegen/operation-types.ts';
import { generateRequestValidators } from '../../src/codegen/request-validators.ts';
import { findRefusals } from '../../src/codegen/specifications.ts';
import { type OpenApiDocument, readCmaDocument } from '../../src/documents/openapi-document.ts';
import { createApi } from '../../src/http/api.ts';
import { createApp } from '../../src/http/create-app.ts';
import { toErrorResponse } from '../../src/http/error-map.ts';
import type { RequestValidators } from '../../src/http/openapi/request-router.ts';
import { createBodyMemory } from '../../src/http/request/limit-requests.ts';
import type { UploadBody } from '../../src/http/request/read-body.ts';
import { createApiBodyReader } from '../../src/http/request/read-body.ts';
import { createRequestMetrics } from '../../src/http/request/request-telemetry.ts';
import { addOperations, type SampleOperation } from './random-documents.ts';

const root = join(import.meta.dirname, '../..');

/** The code that codegen has generated from a document, in a temporary folder. */
export interface ServedDocument {
  readonly document: OpenApiDocument;
  /** Compiles modules beside the generated types; returns the compiler's messages, each with its file and line. */
  compile(modules: Readonly<Record<string, string>>): Promise<string[]>;
  /** Serves the operations, each with its fault if it has one; returns the URL, and the function that stops the server. */
  serve(
    faults?: ReadonlyMap<string, ServedFault>,
  ): Promise<{ readonly url: string; readonly stop: () => Promise<void> }>;
  remove(): void;
}

/** What the server of an operation does otherwise than its document says. */
export interface ServedFault {
  /** What its handler returns. */
  readonly answer?: SampleOperation['answer'];
  /** The start of the pointer of what is not checked, such as `/query/limit`; a missing one is at `/query` with its name. */
  readonly unchecked?: (pointer: string) => boolean;
}

/** Generates what a server needs for the document of the content management API with more operations. */
export async function generateServed(operations: readonly SampleOperation[]): Promise<ServedDocument> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-document-'));
  const document = addOperations(readCmaDocument(), operations);
  const refusals = findRefusals(document);
  if (refusals.length > 0) throw new Error(JSON.stringify(refusals));
  const input = {
    ...readInput(),
    cma: document,
    admin: addOperations({ ...readCmaDocument(), paths: {} }, []),
  };
  const files = new Map([
    ...(await generateOperationTypes(input)),
    ...(await generateRequestValidators(input)),
  ]);
  write('cma.ts', files.get('server/cma.ts'));
  write('validators.mjs', files.get('validators/cma.js'));
  write('package.json', '{"type":"module"}');
  write('tsconfig.json', JSON.stringify(settings));

  function write(name: string, text = ''): void {
    writeFileSync(join(folder, name), text);
  }

  return {
    document,
    compile(modules) {
      for (const [name, text] of Object.entries(modules)) write(name, text);
      const command = [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', folder, '--pretty', 'false'];
      return new Promise((resolve) => {
        execFile(process.execPath, command, { cwd: folder, maxBuffer: 1e8 }, (_error, stdout) =>
          resolve(stdout.split('\n').filter((line) => /^\S.*error TS/.test(line))),
        );
      });
    },
    async serve(faults = new Map()) {
      const { requestValidators } = await import(pathToFileURL(join(folder, 'validators.mjs')).href);
      const ids = new Set(operations.map(({ path }) => path));
      const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => ids.has(path)));
      return listen(
        createApi({
          document: Object.assign(structuredClone(document), { paths }),
          validators: { ...requestValidators, ...withoutChecks(requestValidators, faults) },
          // The compiler has checked the same handlers in `compile`.
          handlers: Object.fromEntries(
            operations.map((one) => [one.id, toHandler({ ...one, ...faults.get(one.id) })]),
          ) as object,
          invalidBodyOperations: [],
          readBody: createApiBodyReader(limits),
        }),
      );
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** The validators of the operations that do not check something. */
function withoutChecks(
  validators: RequestValidators,
  faults: ReadonlyMap<string, ServedFault>,
): RequestValidators {
  return Object.fromEntries(
    [...faults].flatMap(([id, { unchecked }]) => {
      if (!unchecked) return [];
      const lax = (validators[id] ?? []).map((validate) => {
        const some = (parts: unknown) => {
          validate(parts);
          const errors = (validate.errors ?? []).filter(
            ({ instancePath, params }) =>
              !unchecked([instancePath, params.missingProperty].filter(Boolean).join('/')),
          );
          some.errors = errors;
          return errors.length === 0;
        };
        some.errors = [] as ErrorObject[];
        // The server uses only the call and the errors.
        return some as unknown as ValidateFunction;
      });
      return [[id, lax]];
    }),
  );
}

const limits = { maxBodyBytes: 100_000, maxFileBytes: 100_000, memory: createBodyMemory({ maxBytes: 1e6 }) };

const settings = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions: {
    typeRoots: [join(root, 'node_modules/@types')],
    incremental: false,
    tsBuildInfoFile: null,
    rewriteRelativeImportExtensions: false,
  },
  include: ['*.ts'],
  exclude: [],
};

/** The handler of an operation, which answers with its sample. */
const toHandler =
  ({ answer: { status, body, bytes, headers = {} } }: SampleOperation) =>
  async ({ body: sent }: { readonly body: unknown }) => {
    if (sent instanceof Object && 'open' in sent) await (sent as UploadBody).open().resume().toArray();
    if (bytes === undefined) return { status, headers, body };
    const texts = (async function* () {
      yield Buffer.from(bytes);
    })();
    return { status, headers: { ...headers, 'Content-Type': 'image/png' }, stream: { texts } };
  };

/** The same handler as a text for the compiler. */
export function toHandlerText({ id, answer: { status, body, bytes, headers } }: SampleOperation): string {
  const parts = [
    `status: ${status} as const`,
    ...(headers ? [`headers: ${JSON.stringify(headers)}`] : []),
    ...(body === undefined ? [] : [`body: ${JSON.stringify(body)}`]),
    ...(bytes === undefined
      ? []
      : [`stream: { texts: [][Symbol.iterator]() as unknown as AsyncIterable<Uint8Array> }`]),
  ];
  return `${id}: async () => ({ ${parts.join(', ')} })`;
}

async function listen(handle: ReturnType<typeof createApi>) {
  const pass = (_request: unknown, _response: unknown, next: () => void) => next();
  const app = createApp({
    apis: [{ basePath: '/more', authenticate: () => ({}), handle, toErrorResponse }],
    files: pass,
    graphql: pass,
    routes: pass,
    pages: pass,
    metrics: pass,
    maxRequests: 1000,
    checkReady: async () => {},
    checkHealth: async () => {},
    origins: createRequestOrigins(),
    requests: createRequestMetrics(),
    usage: { add() {} },
    logger: silentLogger,
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}`, stop };
}
