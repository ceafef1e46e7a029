/** Fields that are unique together, on all surfaces: conflicts, `by`, `_by`, GraphQL keys, documents, imports and restricted clients. */
import { beforeAll, describe, expect, it } from 'vitest';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';
import { createWorkspace, onServer, run } from '../../transfer/workspace.ts';
import { by, open, send } from '../routes/routes-context.ts';

const sdl = `
enum Lang { de en }
type Leaf @contentType(class: "test.Leaf")
  @unique(fields: ["lang", "slug"]) @unique(fields: ["cms.site.owner", "nav.path"]) {
  lang: Lang!
  slug: String! @indexed
  nav_path: String @json(name: "nav.path")
  title: String
  next: Leaf @indexed
  before: [Leaf!] @inverse(field: "next")
}
type Twig @contentType(class: "test.Twig") @unique(fields: ["slug"], where: "active = true and not slug startsWith x") {
  slug: String!
  active: Boolean
}
`;
const type = 'test.Leaf';
const site = 'com.colophon.cms.db.Site';

describeOnEachStore('fields that are unique together', (locations) => {
  const types = makeTypesFolder(sdl);
  let instance: TestInstance;

  const cma = (method: string, path: string, json?: unknown, headers = instance.headers) =>
    send(instance.url, method, `/api/rest/cma/contents${path}`, {
      headers,
      ...(json === undefined ? {} : { json }),
    });
  const create = async (fields: object) => (await cma('POST', '', { _type: type, ...fields })).body;
  const batch = async (operations: object[]) => {
    const { results } = (await cma('POST', '/batch', { operations })).body.result;
    return results.map(({ outcome, status, _id, error }: Record<string, never>) =>
      error ? [status, Object(error).path, Object(error).message] : [outcome, _id],
    );
  };
  const graphql = async (query: string) =>
    (await send(instance.url, 'POST', '/graphql/open', { json: { query } })).body;

  let ids: Record<'de' | 'en' | 'site', string>;

  beforeAll(async () => {
    instance = await startInstance(locations(), { typesDir: types });
    await instance.services.graphqlEndpoints.create(open);
    await instance.refresh();
    const owner = (await cma('POST', '', { _type: site, name: 'A site' })).body.result._id;
    const de = (await create({ lang: 'de', slug: 'a', 'nav.path': '/' })).result._id;
    const en = (await create({ lang: 'en', slug: 'a', 'nav.path': '/', ...ownedBy(owner) })).result._id;
    ids = { de, en, site: owner };
  });

  const ownedBy = (_ref: string) => ({ 'cms.site.owner': { _ref, _type: site } });

  it('are refused to another asset, in every kind of write', async () => {
    const { body, status } = await cma('POST', '', { _type: type, lang: 'de', slug: 'a' });
    expect([status, body.error]).toEqual([
      409,
      {
        code: 'value_in_use',
        message: '"de, a" is already in use: "lang,slug" is unique',
        path: 'lang,slug',
      },
    ]);
    for (const query of ['', '?validate=true'])
      expect((await cma('PUT', `/${ids.en}${query}`, { lang: 'de' })).body.error.path).toBe('lang,slug');
    expect((await create({ lang: 'de', slug: 'b', 'nav.path': '/' })).error.path).toBe(
      'cms.site.owner,nav.path',
    );
    const moves = [
      { action: 'update', asset: { _id: ids.en, slug: 'b' } },
      { action: 'create', asset: { _type: type, lang: 'en', slug: 'c' } },
      { action: 'update', asset: { _id: ids.en, slug: 'c' } },
      { action: 'update', asset: { _id: ids.en, lang: 'de' } },
      { action: 'update', asset: { _id: ids.en, slug: 'a' } },
      { action: 'create', asset: { _type: type, lang: 'de', slug: 'b' } },
    ];
    for (const query of ['?validate=true', '']) {
      const { results } = (await cma('POST', `/batch${query}`, { operations: moves })).body.result;
      expect(results.map(({ outcome, status }: Record<string, unknown>) => outcome ?? status)).toEqual([
        'updated',
        'created',
        409,
        'updated',
        409,
        409,
      ]);
    }
    await cma('PUT', `/${ids.en}`, { lang: 'en', slug: 'a' });
    const owned = { lang: 'de', slug: 'b', 'nav.path': '/', ...ownedBy(ids.site) };
    expect((await cma('POST', '?validate=true', { _type: type, ...owned })).body.error.path).toBe(
      'cms.site.owner,nav.path',
    );
  });

  it('have one winner of 20 requests at once', async () => {
    const fields = { lang: 'en', slug: 'race' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(fields)));
    expect(answers.filter(({ status }) => status === 'ok')).toHaveLength(1);
    expect(new Set(answers.flatMap(({ error }) => error?.code ?? []))).toEqual(new Set(['value_in_use']));
    const upsert = { action: 'upsert', by: 'lang,slug', asset: { _type: type, lang: 'de', slug: 'race' } };
    const batches = await Promise.all(Array.from({ length: 20 }, () => batch([upsert])));
    expect(batches.filter(([[outcome]]) => outcome === 'created')).toHaveLength(1);
    expect(new Set(batches.map(([[, id]]) => id)).size).toBe(1);
  });

  it('find assets in batches, in any order and with later effects of earlier operations', async () => {
    const asset = (fields: object) => ({ _type: type, ...fields });
    const of = (lang: string, slug: string) => ({ _type: type, _by: { slug, lang } });
    const results = await batch([
      { action: 'upsert', by: 'lang,slug', asset: asset({ lang: 'de', slug: 'a', title: 'A' }) },
      { action: 'update', by: 'slug,lang', asset: asset({ lang: 'en', slug: 'a', next: of('de', 'a') }) },
      { action: 'upsert', by: 'lang,slug', asset: asset({ lang: 'en', slug: 'new' }) },
      { action: 'update', by: 'lang,slug', asset: asset({ lang: 'en', slug: 'new', next: of('en', 'new') }) },
      { action: 'update', by: 'cms.site.owner,nav.path', asset: asset({ 'nav.path': '/', title: 'global' }) },
      {
        action: 'update',
        by: 'cms.site.owner,nav.path',
        asset: asset({ 'nav.path': '/', ...ownedBy(ids.site), title: 'owned' }),
      },
      { action: 'update', by: 'lang,slug', asset: asset({ lang: 'de', slug: 'none' }) },
      { action: 'update', by: 'lang,slug', asset: asset({ lang: 'de' }) },
      { action: 'update', by: 'lang', asset: asset({ lang: 'de' }) },
      { action: 'update', asset: { _id: ids.de, next: of('de', 'none') } },
      { action: 'update', asset: { _id: ids.de, next: { _type: type, _by: { lang: 'de' } } } },
    ]);
    const made = results[2][1];
    const refused = `the fields of one key of ${type}: lang,slug or cms.site.owner,nav.path`;
    expect(results).toEqual([
      ['updated', ids.de],
      ['updated', ids.en],
      ['created', made],
      ['updated', made],
      ['updated', ids.de],
      ['updated', ids.en],
      [404, undefined, 'There is no asset "de, none"'],
      [400, 'slug', 'slug is required'],
      [400, 'by', `by must be _id or a unique field of ${type}: lang,slug or cms.site.owner,nav.path`],
      [400, 'next._by', `next._by names no asset: there is no ${type} with the lang,slug "de, none"`],
      [400, 'next._by', `next._by must be an object with ${refused}`],
    ]);
    expect((await cma('GET', `/${ids.en}`)).body.result).toMatchObject({
      title: 'owned',
      next: { _ref: ids.de, _type: type },
    });
    const single = { next: { _type: type, _by: { ...ownedBy(ids.site), 'nav.path': '/' } } };
    expect((await cma('PUT', `/${ids.de}`, single)).body.result.next._ref).toBe(ids.en);
    const global = { next: { _type: type, _by: { 'cms.site.owner': null, 'nav.path': '/' } } };
    expect((await cma('PUT', `/${ids.de}`, global)).body.result.next._ref).toBe(ids.de);
  });

  it('are keys in GraphQL', async () => {
    const { data } = await graphql(`{
      a: leafBy(key: { lang_slug: { lang: de, slug: "a" } }) { _id }
      b: leafBy(key: { lang_slug: { lang: en, slug: "none" } }) { _id }
      c: leafBy(key: { cms_site_owner_nav_path: { nav_path: "/" } }) { _id }
      d: leafBy(key: { cms_site_owner_nav_path: { cms_site_owner: "${ids.site}", nav_path: "/" } }) { _id }
    }`);
    expect(data).toEqual({ a: { _id: ids.de }, b: null, c: { _id: ids.de }, d: { _id: ids.en } });
    const { errors } = await graphql('{ leafBy(key: { lang_slug: { lang: de } }) { _id } }');
    expect(errors[0].message).toContain('slug');
  });

  it('stand beside inverse lists, which mapped routes have, and which the API of content does not know', async () => {
    const query =
      'query Before($slug: String!, $n: Int) { leafBy(key: { lang_slug: { lang: de, slug: $slug } }) { before(limit: $n, filter: { slug: { ne: "none" } }) { items { slug } count } } }';
    const body = {
      name: 'Leaves',
      source: open.name,
      cacheTags: 'Cache-Tag',
      mappings: [{ name: 'Before', query }],
    };
    const { id } = await instance.services.restEndpoints.create({ body, by });
    await instance.services.restEndpoints.publish({ id, by });
    await instance.refresh();
    await cma('PUT', `/${ids.en}`, { next: { _ref: ids.de, _type: type } });
    await cma('PUT', `/${ids.de}`, { next: null });
    const { body: found, headers } = await send(instance.url, 'GET', '/leaves/before?slug=a&n=5');
    expect(found.data).toEqual({ leafBy: { before: { items: [{ slug: 'a' }], count: 1 } } });
    expect(String(headers['cache-tag'])).toContain('any');
    expect((await cma('PUT', `/${ids.de}`, { before: [] })).body.error.path).toBe('before');
    const where = new URLSearchParams({ from: type, where: 'before/slug = a' });
    expect((await cma('GET', `?${where}`)).body.error.code).toBe('unknown_field');
  });

  it('are hidden from a client of another site', async () => {
    const headers = await instance.createClient({ scopes: ['cma:read', 'cma:write'], sites: [ids.site] });
    await instance.refresh();
    const asset = { _type: type, lang: 'de', slug: 'a', title: 'B', ...ownedBy(ids.site) };
    const operations = [{ action: 'update', by: 'lang,slug', asset }];
    const { body } = await cma('POST', '/batch', { operations }, headers);
    expect(body.result.results[0]).toMatchObject({ status: 404 });
    const { body: refused } = await cma('POST', '', { ...asset, 'nav.path': '/x' }, headers);
    expect(refused.error.code).toBe('value_in_use');
  });

  it('are in the documents', async () => {
    const headers = await instance.createClient({ scopes: ['admin'] });
    await instance.refresh();
    const { body: document } = await send(instance.url, 'GET', '/api/admin/cma/openapi.json', { headers });
    const keys = [
      ['lang', 'slug'],
      ['cms.site.owner', 'nav.path'],
    ];
    expect(document.components.schemas.Leaf['x-unique-keys']).toEqual(keys);
    expect(document.components.schemas.LeafReferenceInput.properties._by).toMatchObject({
      maxProperties: 2,
      properties: { lang: {}, slug: {}, 'nav.path': {} },
    });
    const { body: shown } = await send(instance.url, 'GET', `/api/admin/types/${type}`, { headers });
    expect(shown.keys).toEqual(keys);
    expect(shown.inverses).toEqual([{ graphqlName: 'before', target: type, field: 'next' }]);
    expect(Object.keys(document.components.schemas.Leaf.properties)).not.toContain('before');
  });

  describe('where a condition holds', () => {
    const twig = 'test.Twig';
    const add = async (fields: object, query = '') =>
      (await cma('POST', query, { _type: twig, ...fields })).body;

    it('are refused to another asset that meets it, in every kind of write', async () => {
      const { _id: id } = (await add({ slug: 'a', active: true })).result;
      const { _id: other } = (await add({ slug: 'a' })).result;
      const refused = {
        code: 'value_in_use',
        message: '"a" is already in use: "slug" is unique',
        path: 'slug',
      };
      for (const query of ['?validate=true', '']) {
        expect((await add({ slug: 'a', active: true }, query)).error).toEqual(refused);
        expect((await cma('PUT', `/${other}${query}`, { active: true })).body.error).toEqual(refused);
        for (const slug of ['x', 'x']) expect((await add({ slug, active: true }, query)).status).toBe('ok');
      }
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => add({ slug: 'race', active: true })),
      );
      expect(answers.filter(({ status }) => status === 'ok')).toHaveLength(1);
      const swap = [
        { action: 'update', asset: { _id: other, active: true } },
        { action: 'update', asset: { _id: id, active: false } },
      ];
      for (const query of ['?validate=true', '']) {
        const { body } = await cma('POST', `/batch${query}`, { operations: swap, atomic: true });
        expect(body.result.failed).toBe(0);
      }
      const { results } = (await cma('POST', '/batch', { operations: swap.toReversed() })).body.result;
      expect(results.map(({ outcome }: Record<string, unknown>) => outcome)).toEqual(['updated', 'updated']);
    });

    it('identify no asset, and are in the documents', async () => {
      const operations = [{ action: 'upsert', by: 'slug', asset: { _type: twig, slug: 'a' } }];
      const { results } = (await cma('POST', '/batch', { operations })).body.result;
      expect(results[0]).toMatchObject({ status: 400, error: { path: 'by' } });
      const headers = await instance.createClient({ scopes: ['admin'] });
      await instance.refresh();
      const { body: document } = await send(instance.url, 'GET', '/api/admin/cma/openapi.json', { headers });
      const where = 'active = true and not slug startsWith x';
      const { Twig } = document.components.schemas;
      expect(Twig['x-conditional-keys']).toEqual([{ fields: ['slug'], where }]);
      expect(Twig['x-unique-keys']).toBeUndefined();
      const { body: shown } = await send(instance.url, 'GET', `/api/admin/types/${twig}`, { headers });
      expect(shown.conditionalKeys).toEqual([{ fields: ['slug'], where }]);
      expect((await graphql('{ twigBy(key: { slug: "a" }) { _id } }')).errors).toHaveLength(1);
    });

    it('are found by the dry run of an import, among many assets that do not meet it', async () => {
      const work = createWorkspace();
      for (let n = 0; n < 5; n++) await add({ slug: 'dry' });
      await add({ slug: 'dry', active: true });
      const lines = [{ slug: 'dry', active: true }, { slug: 'dry' }, { slug: 'new', active: true }];
      const file = work.input([...lines, lines[2] ?? {}].map((fields) => ({ _type: twig, ...fields })));
      for (const dry of [['--dry-run'], []]) {
        const words = [file, '--mode', 'create', '--types', types, ...dry];
        const { stdout } = await run('import', onServer(instance), words);
        expect(stdout).toContain('created 2, updated 0, failed 2');
      }
    });
  });

  it('identify the lines of imports, whose dry run tells the same', async () => {
    const work = createWorkspace();
    const leaves = Array.from({ length: 120 }, (_, n) => ({
      _type: type,
      lang: n % 2 ? 'de' : 'en',
      slug: `import-${n % 60}`,
      title: `${n}`,
      ...(n > 0 && {
        next: { _type: type, _by: { lang: n % 2 ? 'en' : 'de', slug: `import-${(n - 1) % 60}` } },
      }),
    }));
    const file = work.input(leaves);
    const words = [file, '--mode', 'upsert', '--by', 'lang,slug', '--batch-size', '7'];
    for (const dry of [['--dry-run'], []]) {
      const { stdout } = await run('import', onServer(instance), [...words, '--types', types, ...dry]);
      expect(stdout).toContain('created 60, updated 60, failed 0');
    }
    const again = await run('import', onServer(instance), [
      ...words,
      '--types',
      types,
      '--restart',
      '--dry-run',
    ]);
    expect(again.stdout).toContain('created 0, updated 120, failed 0');
  }, 120_000);
});
