/** The client as a package: that it compiles for any content types, what it holds, and that its README is right. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { generateClient } from '../../../src/codegen/client.ts';
import { bundleCmaDocument, readAdminDocument, readCmaDocument } from '../../../src/http/openapi-document.ts';
import { catalogOf } from '../../support/types.ts';

const clientFolder = join(import.meta.dirname, '../../../generated/client');
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
    expect(compile(cma.replace('page.headline', 'page.title'))).toContain("'title' does not exist");
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
