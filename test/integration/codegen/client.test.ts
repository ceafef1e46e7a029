/** The client package: it compiles for any content types, and has the right contents. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { generateClient } from '../../../src/codegen/client/client.ts';
import {
  bundleDocument,
  readAdminDocument,
  readCmaDocument,
} from '../../../src/documents/openapi-document.ts';
import { catalogOf } from '../../support/types.ts';

const clientFolder = join(import.meta.dirname, '../../../generated/client');
describe('generateClient', () => {
  it('compiles for content types named like something in TypeScript or in the client', async () => {
    const catalog = catalogOf(`
      type Array @contentType(class: "my.Array") { items: [Int!]! constructor: String toString: Boolean hasOwnProperty: Array }
      type Options @contentType(class: "my.Options") { other: Any arrays: [Array!] error: Error client: ClientOptions }
      type ClientOptions @contentType(class: "my.ClientOptions") { date: Symbol record: Record }
      type QueryAssetsData @contentType(class: "my.QueryAssetsData") { a_b: Int @json(name: "a.b") }
      type article @contentType(class: "my.article") { errors: [Error!] }
      type Error { message: String! cause: Error exists: Boolean }
      type TextField @contentType(class: "my.TextField") { eq: String where: Any }
      interface Unused @contentType(class: "my.Unused") { a: Int }
      interface error_page @contentType(class: "my.ErrorPage") { errors: [Error!] }
      type Symbol { year: Int @indexed(unique: true) }
      union Any = Array | Options
      enum Record { A B }`);
    const cma = readCmaDocument();
    const bundledCma = bundleDocument({ source: cma, catalog });
    const admin = readAdminDocument();
    const bundledAdmin = bundleDocument({ source: admin, catalog });
    const files = await generateClient({ version: '1.2.3', catalog, cma, bundledCma, admin, bundledAdmin });
    const types = files.get('client/lib/cma/types.gen.d.ts');
    expect(types).toContain("_type: 'my.article'");
    expect(types).toMatch(/_by: \{\s+'date\.year'\?: number;\s+\};\s+_type: 'my\.ClientOptions'/);
    expect(types).toContain('const TextField: $.QueryableType<"my.TextField">');
    expect(types).toContain('const ErrorPage: $.QueryableType<"my.ErrorPage">');
    const fields = files.get('client/lib/cma/fields.gen.d.ts');
    expect(fields).toContain('"other": $.ReferenceField<Array$OptionsFields>');
    expect(fields).toContain('"$eq": $.TextField');
    expect(fields).toContain('"$exists": $.BooleanField');
    expect(JSON.parse(files.get('client/package.json') ?? '').version).toBe('1.2.3');
  });
});

describe('the package', () => {
  it('is small, and loses the predicate builder in programs that do not use it', async () => {
    const bundle = async (exports: string) => {
      const program = `export { ${exports} } from ${JSON.stringify(join(clientFolder, 'lib/index.js'))};`;
      const { output } = await (
        await rolldown({
          input: 'program.js',
          plugins: [
            {
              name: 'the program',
              resolveId: (path) => (path === 'program.js' ? path : undefined),
              load: (path) => (path === 'program.js' ? program : undefined),
            },
          ],
        })
      ).generate({ minify: true });
      return output[0].code;
    };
    expect(await bundle('createClient')).not.toContain('matchesAll');
    expect((await bundle('where, and, or, not, Author')).length).toBeLessThan(2_800);
  });

  it('has the version of Colophon, and no dependencies', () => {
    const read = (path: string) => JSON.parse(readFileSync(join(clientFolder, path), 'utf8'));
    expect(read('package.json').version).toBe(read('../../package.json').version);
    expect(Object.keys(read('package.json')).filter((member) => /dependencies/i.test(member))).toEqual([]);
  });
});
