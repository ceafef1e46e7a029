/** The generated client: what it sends and receives, and, by the compiler, what it lets its callers write. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CmaClient, createClient } from '../../../generated/client/lib/index.js';
import { generateClient } from '../../../src/codegen/client.ts';
import { bundleCmaDocument, readAdminDocument, readCmaDocument } from '../../../src/http/openapi-document.ts';
import { catalogOf } from '../../support/types.ts';

const clientFolder = join(import.meta.dirname, '../../../generated/client');
const id = '01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7';
const text = { _id: id, _type: 'com.colophon.cms.db.Text' as const, name: 'About us' };

interface Received {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describe('the client', () => {
  const received: Received[] = [];
  let answer: { status: number; body: unknown };
  let server: Server;
  let baseUrl: string;

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const body = (await request.toArray()).join('');
      received.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      response.writeHead(answer.status, { 'Content-Type': 'application/json', ETag: '"a"' });
      response.end(JSON.stringify(answer.body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an address of this kind.
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    received.length = 0;
    answer = { status: 200, body: { status: 'ok', result: text } };
  });

  const connect = (settings: { cmaPath?: string } = {}) =>
    createClient({ baseUrl, clientId: 'importer', clientSecret: 's3cret', ...settings });

  it('sends its credentials, and a query without a slash behind the base path', async () => {
    answer.body = { status: 'ok', result: { count: 1, items: [text] } };
    const { data } = await connect().queryAssets({
      query: {
        from: 'com.colophon.cms.db.Text',
        where: 'name = ? or name = ?',
        values: ['a&b', ''],
        limit: 0,
      },
    });
    expect(data?.result).toEqual({ count: 1, items: [text] });
    const url = new URL(received[0]?.line.split(' ')[1] ?? '', baseUrl);
    expect(url.pathname).toBe('/api/rest/cma/contents');
    expect(url.searchParams.getAll('values')).toEqual(['a&b', '']);
    expect(url.searchParams.get('limit')).toBe('0');
    expect(received[0]?.headers).toMatchObject({ 'x-client-id': 'importer', 'x-client-secret': 's3cret' });
  });

  it('sends bodies as JSON and conditions as headers, and gives access to the ETag', async () => {
    const { response } = await connect().updateAsset({
      path: { id },
      body: { name: 'Über uns', text: null },
      headers: { 'If-Match': '"a"' },
    });
    expect(received[0]).toMatchObject({
      line: `PUT /api/rest/cma/contents/${id}`,
      headers: { 'content-type': 'application/json', 'if-match': '"a"' },
      body: '{"name":"Über uns","text":null}',
    });
    expect(response?.headers.get('ETag')).toBe('"a"');
  });

  it('returns what the server refuses as a typed error, and throws it where that is asked for', async () => {
    const refusal = {
      status: 'error',
      result: null,
      error: { code: 'not_found', message: 'There is no asset' },
    };
    answer = { status: 404, body: refusal };
    const { data, error } = await connect().getAsset({ path: { id } });
    expect(data).toBeUndefined();
    expect(error).toEqual(refusal);
    await expect(connect().getAsset({ path: { id }, throwOnError: true })).rejects.toEqual(refusal);
  });

  it('reaches a server with another base path, bodies included', async () => {
    const cma = connect({ cmaPath: '/contents' });
    await cma.createAsset({ body: { _type: 'com.colophon.cms.db.Text', name: 'A' } });
    await cma.deleteAsset({ path: { id: 'a/b' } });
    expect(received.map(({ line, body }) => [line, body])).toEqual([
      ['POST /contents', '{"_type":"com.colophon.cms.db.Text","name":"A"}'],
      ['DELETE /contents/a%2Fb', ''],
    ]);
    expect(received[0]?.headers).toMatchObject({
      'x-client-id': 'importer',
      'content-type': 'application/json',
    });
  });
});

describe('generateClient', () => {
  it('compiles for content types whose names mean something else in TypeScript or in the client', async () => {
    const catalog = catalogOf(`
      type Array @contentType(class: "my.Array") { items: [Int!]! constructor: String toString: Boolean }
      type Options @contentType(class: "my.Options") { other: Any arrays: [Array!] error: Error }
      type ClientOptions @contentType(class: "my.ClientOptions") { date: Date record: Record }
      type QueryAssetsData @contentType(class: "my.QueryAssetsData") { a_b: Int @json(name: "a.b") }
      type article @contentType(class: "my.article") { errors: [Error!] }
      type Error { message: String! cause: Error }
      type Date { year: Int }
      union Any = Array | Options
      enum Record { A B }`);
    const cma = readCmaDocument();
    const bundledCma = bundleCmaDocument({ source: cma, catalog });
    const admin = readAdminDocument();
    const files = await generateClient({ version: '1.2.3', catalog, cma, bundledCma, admin });
    expect(files.get('client/lib/cma/types.gen.d.ts')).toContain("_type: 'my.article'");
    expect(JSON.parse(files.get('client/package.json') ?? '').version).toBe('1.2.3');
  });
});

describe('the package', () => {
  it('has the version of Colophon, and no dependencies', () => {
    const read = (path: string) => JSON.parse(readFileSync(join(clientFolder, path), 'utf8'));
    expect(read('package.json').version).toBe(read('../../package.json').version);
    expect(Object.keys(read('package.json')).filter((member) => /dependencies/i.test(member))).toEqual([]);
  });

  it('has examples in its README that compile', () => {
    const readme = readFileSync(join(clientFolder, 'README.md'), 'utf8');
    const [cma = '', admin = ''] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, example]) => example);
    expect(cma).toContain('createClient(');
    expect(compile(cma)).toBe('');
    expect(compile(cma.replace('asset.headline', 'asset.title'))).toContain("'title' does not exist");
    expect(admin).toContain('createAdminClient(');
    expect(compile(admin)).toBe('');
    expect(compile(admin.replace("name: 'News',", ''))).toContain("Property 'name' is missing");
  });
});

/** The compiler's messages about a module that imports the client as a strict program in Node does. */
function compile(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-client-'));
  try {
    writeFileSync(join(folder, 'example.mts'), source);
    const program = ts.createProgram([join(folder, 'example.mts')], {
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts'],
      module: ts.ModuleKind.NodeNext,
      types: ['node'],
      typeRoots: [join(clientFolder, '../../node_modules/@types')],
      paths: {
        'colophon-client': [join(clientFolder, 'lib/index.d.ts')],
        'colophon-client/admin': [join(clientFolder, 'lib/admin.d.ts')],
      },
    });
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
      .join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Never called: the compiler checks that each line marked as an error is one. */
export async function checkTypes(cma: CmaClient): Promise<void> {
  const { data } = await cma.getAsset({ path: { id }, throwOnError: true });
  const asset = data.result;
  if (asset._type === 'com.example.news.Article') {
    const headline: string = asset.headline;
    const authorClass: 'com.example.news.Author' | undefined = asset.author?._type;
    await cma.updateAsset({ path: { id }, body: { _type: asset._type, headline, summary: null } });
    console.log(authorClass);
  }
  // @ts-expect-error not every asset has a headline
  console.log(asset.headline);
  const draft = { _type: 'com.example.news.Article', slug: 'a', status: 'DRAFT' } as const;
  await cma.createAsset({ body: { ...draft, headline: 'A' } });
  // @ts-expect-error a headline is required
  await cma.createAsset({ body: draft });
  // @ts-expect-error there is no such status
  await cma.createAsset({ body: { ...draft, headline: 'A', status: 'LOST' } });
  // @ts-expect-error a required field cannot be cleared
  await cma.updateAsset({ path: { id }, body: { _type: draft._type, headline: null } });
}
