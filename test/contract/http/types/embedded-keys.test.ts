/** A unique field of an embedded value as a key, on all surfaces: `by`, `_by`, GraphQL, documents and imports. */
import { beforeAll, expect, it } from 'vitest';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';
import { createWorkspace, onServer, run } from '../../transfer/workspace.ts';
import { open, send } from '../routes/routes-context.ts';

const sdl = `
type Maker { code: Decimal @indexed(unique: true) }
type Cover { code: Int @indexed(unique: true) @constraint(min: 1) paper: String maker: Maker }
type Book @contentType(class: "lib.Book") {
  name: String
  cover: Cover
  next: Book
  shelf_mark: String @json(name: "shelf.mark") @indexed(unique: true)
}
`;
const type = 'lib.Book';

describeOnEachStore('a unique field of an embedded value', (locations) => {
  const types = makeTypesFolder(sdl);
  let instance: TestInstance;

  const cma = (method: string, path: string, json?: unknown) =>
    send(instance.url, method, `/api/rest/cma/contents${path}`, {
      headers: instance.headers,
      ...(json === undefined ? {} : { json }),
    });
  const create = async (fields: object) =>
    (await cma('POST', '', { _type: type, ...fields })).body.result._id;
  const batch = async (operations: object[]) => {
    const { results } = (await cma('POST', '/batch', { operations })).body.result;
    return results.map(({ outcome, status, _id, error }: Record<string, never>) =>
      error ? [status, Object(error).path, Object(error).message] : [outcome, _id],
    );
  };
  const named = (_by: unknown) => ({ _type: type, _by });

  let ids: Record<'five' | 'plain' | 'made', string>;

  beforeAll(async () => {
    instance = await startInstance(locations(), { typesDir: types });
    await instance.services.graphqlEndpoints.create(open);
    await instance.refresh();
    const five = await create({ name: 'Five', cover: { code: 5, paper: 'thin' } });
    const plain = await create({ name: 'Plain', 'shelf.mark': 'A 1' });
    const made = await create({ name: 'Made', cover: { maker: { code: '1.50' } } });
    ids = { five, plain, made };
  });

  it('identifies assets in batches', async () => {
    const op = (action: string, by: string, fields: object) => ({
      action,
      by,
      asset: { _type: type, ...fields },
    });
    const results = await batch([
      op('update', 'cover.code', { cover: { code: 5 }, name: 'Cinq' }),
      op('upsert', 'cover.code', { cover: { code: 6, paper: 'thick' }, next: named({ 'cover.code': 5 }) }),
      op('replace', 'cover.code', { cover: { code: 6 }, name: 'Six', next: named({ 'cover.code': 6 }) }),
      op('update', 'cover.maker.code', { cover: { maker: { code: '1.5' } }, name: 'Fait' }),
      op('update', 'shelf.mark', { 'shelf.mark': 'A 1', name: 'Uni' }),
      op('update', 'cover.code', { cover: { code: 7 } }),
      op('update', 'cover.code', { name: 'no cover' }),
      op('update', 'cover.code', { cover: null }),
      op('update', 'cover.code', { cover: { paper: 'thin' } }),
      op('update', 'cover.code', { cover: { code: 0 } }),
      op('update', 'cover.code', { 'cover.code': 5 }),
      op('update', 'cover', { cover: { code: 5 } }),
    ]);
    const six = results[1][1];
    expect(results).toEqual([
      ['updated', ids.five],
      ['created', six],
      ['updated', six],
      ['updated', ids.made],
      ['updated', ids.plain],
      [404, undefined, 'There is no asset "7"'],
      [400, 'cover.code', 'cover.code is required'],
      [400, 'cover.code', 'cover.code is required'],
      [400, 'cover.code', 'cover.code is required'],
      [400, 'cover.code', expect.stringContaining('at least 1')],
      [400, 'cover.code', 'cover.code is required'],
      [
        400,
        'by',
        `by must be _id or a unique field of ${type}: cover.code or cover.maker.code or shelf.mark`,
      ],
    ]);
    // As in every update, an embedded value is given as a whole.
    expect((await cma('GET', `/${ids.five}`)).body.result.cover).toEqual({ code: 5 });
    expect((await cma('GET', `/${six}`)).body.result.next).toEqual({ _ref: six, _type: type });
  });

  it('is given by its path in the _by of references', async () => {
    const put = async (by: unknown) => (await cma('PUT', `/${ids.plain}`, { next: named(by) })).body;
    expect((await put({ 'cover.code': 5 })).result.next).toEqual({ _ref: ids.five, _type: type });
    expect((await put({ 'cover.maker.code': '1.5000' })).result.next._ref).toBe(ids.made);
    expect((await put({ 'shelf.mark': 'A 1' })).result.next._ref).toBe(ids.plain);
    const problems = [
      { 'cover.code': 99 },
      { 'cover.code': null },
      { 'cover.code': '5' },
      { cover: { code: 5 } },
    ];
    const refused = await Promise.all(problems.map(async (by) => (await put(by)).error));
    expect(refused.map(({ path, message }) => [path, message])).toEqual([
      ['next._by', `next._by names no asset: there is no ${type} with the cover.code "99"`],
      ['next._by.cover.code', 'next._by.cover.code is required'],
      ['next._by.cover.code', 'next._by.cover.code must be a number'],
      [
        'next._by.cover',
        `next._by.cover must be a unique field of ${type}: cover.code or cover.maker.code or shelf.mark`,
      ],
    ]);
  });

  it('is the same key in GraphQL', async () => {
    const query = `{ a: bookBy(key: { cover_code: 5 }) { _id } b: bookBy(key: { cover_maker_code: "1.5" }) { _id } }`;
    const { body } = await send(instance.url, 'POST', '/graphql/open', { json: { query } });
    expect(body.data).toEqual({ a: { _id: ids.five }, b: { _id: ids.made } });
  });

  it('is in the documents', async () => {
    const headers = await instance.createClient({ scopes: ['admin'] });
    await instance.refresh();
    const { body: document } = await send(instance.url, 'GET', '/api/admin/cma/openapi.json', { headers });
    const { schemas } = document.components;
    expect(schemas.BookReferenceInput.properties._by).toMatchObject({ maxProperties: 1 });
    expect(Object.keys(schemas.BookReferenceInput.properties._by.properties)).toEqual([
      'cover.code',
      'cover.maker.code',
      'shelf.mark',
    ]);
    expect(schemas.BookReferenceInput.properties._by.properties['cover.code']).toMatchObject({
      type: 'integer',
    });
    expect(schemas.Cover.properties.code['x-unique']).toBe(true);
  });

  it.each([
    ['with the types', true],
    ['without them', false],
  ])(
    'identifies the lines of imports, and the targets among them, %s',
    async (_, knowsTypes) => {
      const work = createWorkspace();
      const start = knowsTypes ? 1_000 : 2_000;
      const books = Array.from({ length: 40 }, (_, n) => ({
        _type: type,
        name: `${n}`,
        cover: { code: start + n },
        next: named({ 'cover.code': start + ((n + 1) % 40) }),
      }));
      const words = [
        work.input(books),
        ...['--mode', 'upsert', '--by', 'cover.code', '--batch-size', '7'],
        ...(knowsTypes ? ['--types', types] : []),
      ];
      if (knowsTypes) {
        const dry = await run('import', onServer(instance), [...words, '--dry-run']);
        expect(dry.stdout).toContain('created 40, updated 0, failed 0');
      }
      expect((await run('import', onServer(instance), words)).stdout).toContain(
        'created 40, updated 0, failed 0',
      );
      const again = await run('import', onServer(instance), [...words, '--restart']);
      expect(again.stdout).toContain('created 0, updated 0, unchanged 40, failed 0');
      const where = new URLSearchParams({
        from: type,
        where: `next/cover.code >= ${start} and cover.code >= ${start}`,
      });
      expect((await cma('GET', `?${where}&limit=0`)).body.result.count).toBeGreaterThanOrEqual(40);
    },
    120_000,
  );
});
