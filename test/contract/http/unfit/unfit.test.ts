/** Stored content that does not fit the current content types: how the log, the CMA, GraphQL and mapped routes report it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { keepsHistory } from '../../../support/history.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { createRoutesContext, open, type RoutesContext } from '../routes/routes-context.ts';
import { describeInAdminApi } from './admin-cases.ts';
import {
  type LogLine,
  maker,
  product,
  serveWithOtherTypes,
  shelf,
  type UnfitContext,
} from './unfit-content.ts';

const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [shelfId, makerId] = [idOf(900), idOf(901)];

const sound = (n: number) => ({
  _id: idOf(n),
  _type: product,
  sku: `sku-${n}`,
  title: `Sound ${n}`,
  colour: 'RED',
});

/** A product that breaks the later types in almost every field. */
const broken = {
  ...sound(500),
  title: 'A title of many letters',
  colour: 'GREEN',
  price: 4.5,
  tags: ['a', 'b'],
  label: 'one',
  size: { width: 3, unit: 'CM' },
  parts: [{ width: 1, unit: 'CM' }, { width: 2, unit: 'elbow' }, { width: 3 }],
  madeBy: { _ref: makerId, _type: maker },
  soldBy: [{ _ref: makerId, _type: maker }],
  formerName: 'Former',
  plain: 'as it was',
};

const problemsOfBroken = [
  { path: 'title', message: 'must have at most 10 characters' },
  { path: 'colour', message: 'must be one of RED, BLUE' },
  { path: 'price', message: 'must be a string' },
  { path: 'tags', message: 'must be a string' },
  { path: 'label', message: 'must be a list' },
  { path: 'parts[1].unit', message: 'must be one of CM, INCH' },
  { path: 'parts[2].unit', message: 'is required' },
  { path: 'madeBy._type', message: `must be ${shelf}` },
  { path: 'soldBy[0]._type', message: `must be ${shelf}` },
  { path: 'added', message: 'is required' },
  { path: 'formerName', message: 'is not a field of this type' },
];
const unfitOf = (_id: string, problems: readonly object[]) =>
  problems.map((problem) => ({ _id, ...problem }));

/** The problems of every product: fields that the later types require. */
const lacking = [
  { path: 'soldBy', message: 'is required' },
  { path: 'added', message: 'is required' },
];

describeOnEachStore('content that no longer fits its type', (locations) => {
  let location: StoreLocation;
  let context: UnfitContext;
  let routes: RoutesContext;

  beforeAll(async () => {
    location = locations();
    context = await serveWithOtherTypes(location, async ({ create }) => {
      await create({ _id: makerId, _type: maker, name: 'Maker' });
      await create({ _id: shelfId, _type: shelf, name: 'Shelf' });
      for (let n = 0; n < 20; n++) await create(sound(n));
      await create(broken);
    });
    routes = createRoutesContext(() => context.instance);
    await context.instance.services.graphqlEndpoints.create(open);
    await context.instance.refresh();
    await context.counted();
  });

  const warnings = (message: RegExp): readonly LogLine['facts'][] =>
    context.log
      .filter((line) => line.level === 'warn' && message.test(line.message))
      .map(({ facts }) => facts);

  async function ask(query: string) {
    const { status, body } = await routes.call('POST', '/graphql/open', { json: { query } });
    return { status, data: body.data, errors: body.errors };
  }

  describe('is reported in the log after the server starts', () => {
    it('by rule, with the number of assets that break it and some of their IDs', () => {
      const found = warnings(/do not fit/);
      expect(found).toContainEqual({
        type: product,
        path: 'title',
        rule: 'must have at most 10 characters',
        assets: 1,
        ids: [broken._id],
      });
      const added = found.find(({ path }) => path === 'added');
      expect(added).toMatchObject({ assets: 21, ids: [0, 1, 2, 3, 4].map(idOf) });
      // An asset is counted once per rule, even if several items of a list break it.
      expect(found.find(({ path }) => path === 'parts[].unit')).toMatchObject({ assets: 1 });
      expect(found).toHaveLength(problemsOfBroken.length + 1);
    });

    it('by class that no longer exists, with the number of its assets', () => {
      expect(warnings(/no longer exists/)).toEqual([{ type: maker, assets: 1 }]);
    });
  });

  const ids = Array.from({ length: 20 }, (_, n) => idOf(n));
  describeInAdminApi(() => context, { ids, broken, problemsOfBroken });

  describe('in the CMA', () => {
    it('is returned as stored, with its problems in "unfit"', async () => {
      const { status, body } = await context.call('GET', { path: `/${broken._id}` });
      expect([status, body.result]).toEqual([200, expect.objectContaining(broken)]);
      expect(body.unfit).toEqual(expect.arrayContaining(unfitOf(broken._id, problemsOfBroken)));
      expect(body.unfit).toHaveLength(problemsOfBroken.length);
    });

    it('is reported for the assets of a page only', async () => {
      const query = { from: product, limit: 2, offset: 19 };
      const { body } = await context.call('GET', { query });
      expect(body.result.items.map(({ _id }: { _id: string }) => _id)).toEqual([idOf(19), broken._id]);
      expect(new Set(body.unfit.map(({ _id }: { _id: string }) => _id))).toEqual(
        new Set([idOf(19), broken._id]),
      );
      const { body: fit } = await context.call('GET', { query: { from: shelf } });
      expect(fit).toEqual({ status: 'ok', result: { count: 1, items: [expect.anything()] } });
    });

    it('is not sent again for a matching If-None-Match, since its ETag covers its content type', async () => {
      for (const path of [`/${broken._id}`, `/${shelfId}`]) {
        const { headers } = await context.call('GET', { path });
        const known = { headers: { 'If-None-Match': String(headers.etag) } };
        expect((await context.call('GET', { path, ...known })).status).toBe(304);
        const ofOtherType = { 'If-None-Match': String(headers.etag).replace(/\..*"$/, '.othertyp"') };
        expect((await context.call('GET', { path, headers: ofOtherType })).status).toBe(200);
      }
    });

    it('keeps its values when another field is updated; only the updated fields are validated', async () => {
      const path = `/${broken._id}`;
      const { status, body } = await context.call('PUT', { path, body: { plain: 'changed' } });
      expect([status, body.result]).toEqual([200, expect.objectContaining({ ...broken, plain: 'changed' })]);
      expect(body.unfit).toHaveLength(problemsOfBroken.length);
      const refused = await context.call('PUT', { path, body: { colour: 'GREEN' } });
      expect([refused.status, refused.body.error.path]).toEqual([400, 'colour']);
      await context.call('PUT', { path, body: { plain: broken.plain } });
    });

    it('is reported for the assets that a batch updates', async () => {
      const operations = [
        { action: 'update', asset: { _id: broken._id, plain: broken.plain } },
        { action: 'update', asset: { _id: idOf(1), added: 1, soldBy: [] } },
        {
          action: 'upsert',
          by: 'sku',
          asset: { _type: product, sku: 'sku-2', added: 1, title: 'Sound 2', colour: 'RED', soldBy: [] },
        },
        { action: 'create', asset: { ...sound(600), added: 1, soldBy: [] } },
        { action: 'delete', id: idOf(600) },
      ];
      for (const atomic of [false, true]) {
        const { status, body } = await context.call('POST', { path: '/batch', body: { operations, atomic } });
        expect([status, body.result.failed]).toEqual([200, 0]);
        const [first, ...others] = body.result.results;
        expect(first.unfit).toEqual(expect.arrayContaining(unfitOf(broken._id, problemsOfBroken)));
        for (const other of others) expect(other).not.toHaveProperty('unfit');
      }
    });

    it('is not reported after an update makes it fit', async () => {
      const path = `/${idOf(3)}`;
      expect((await context.call('GET', { path })).body.unfit).toEqual(unfitOf(idOf(3), lacking));
      const { body } = await context.call('PUT', { path, body: { added: 3, soldBy: [] } });
      expect(body).not.toHaveProperty('unfit');
      expect((await context.call('GET', { path })).body).not.toHaveProperty('unfit');
    });

    it('is returned in past states with its problems, and is not restored', async ({ skip }) => {
      const { call, instance } = context;
      if (!(await keepsHistory(instance))) skip('the store keeps no change log');
      const client = await instance.createClient({ scopes: ['cma:read', 'cma:write', 'history'] });
      await instance.refresh();
      const id = idOf(19);
      const path = `/${id}`;
      const listed = await call('GET', { path: `${path}/history`, client });
      const query = { version: listed.body.result.items.at(-1).version };
      const past = await call('GET', { path, query, client });
      expect(past.body.result).toMatchObject(sound(19));
      expect(past.body.unfit).toEqual(unfitOf(id, lacking));
      const refused = await call('POST', { path: `${path}/restore`, body: query, client });
      expect([refused.status, refused.body.error.problems]).toEqual([400, lacking]);
      const vanished = await call('GET', { path: `/${makerId}/history`, client });
      expect(vanished.status).toBe(404);
    });

    it('can be searched and sorted; values that do not fit count as missing', async () => {
      for (const where of [
        'price contains "4"',
        'price < "5"',
        'label = one',
        'label contains[c] O',
        'tags startsWith a',
        'size.width = 3',
        'parts.unit = CM',
        'madeBy/name contains a',
        'colour = RED',
        'price = missing',
        'tags matches a',
      ]) {
        const { status } = await context.call('GET', { query: { from: product, where, limit: 1 } });
        expect([where, status]).toEqual([where, 200]);
      }
      const admin = await context.instance.createClient({ scopes: ['admin'] });
      await context.instance.refresh();
      for (const field of ['price', 'tags', 'title', 'colour', 'added', 'madeBy', 'size.unit']) {
        const { status, body } = await routes
          .call('POST', '/api/admin/query', {
            headers: admin,
            json: { from: product, sort: [{ field }], limit: 30 },
          })
          .catch((error) => error);
        expect([field, status, body.count]).toEqual([field, 200, 21]);
      }
    });
  });

  describe('in GraphQL', () => {
    const everything = `_id title colour price tags label size { width unit } parts { width unit } madeBy { name } soldBy { name } added plain`;
    const whole = {
      _id: broken._id,
      title: null,
      colour: null,
      price: null,
      tags: null,
      label: null,
      size: { width: 3, unit: 'CM' },
      parts: [
        { width: 1, unit: 'CM' },
        { width: 2, unit: null },
        { width: 3, unit: null },
      ],
      madeBy: null,
      soldBy: [null],
      added: null,
      plain: 'as it was',
    };
    const paths = [
      'title',
      'colour',
      'price',
      'tags',
      'label',
      'parts.1.unit',
      'parts.2.unit',
      'madeBy',
      'soldBy.0',
      'added',
    ];
    const pathsOf = (errors: readonly { path: readonly string[] }[]) =>
      errors.map(({ path }) => path.join('.'));

    it('is null with an error at its path; all other data is returned', async () => {
      const { status, data, errors } = await ask(
        `{ one: product(_id: "${broken._id}") { ${everything} } shelfList { items { name } } }`,
      );
      expect([status, data]).toEqual([200, { one: whole, shelfList: { items: [{ name: 'Shelf' }] } }]);
      expect(pathsOf(errors).toSorted()).toEqual(paths.map((path) => `one.${path}`).toSorted());
      expect(errors[0]).toEqual({
        message: 'The stored content does not fit its type: title must have at most 10 characters',
        path: ['one', 'title'],
        locations: [expect.anything()],
        extensions: { code: 'unfit_content' },
      });
    });

    it('does not affect the other assets of a list', async () => {
      const { data, errors } = await ask(
        '{ productList(limit: 30) { count items { sku title colour added } } }',
      );
      expect(data.productList.count).toBe(21);
      expect(data.productList.items.filter(({ title }: { title: unknown }) => title === null)).toEqual([
        { sku: 'sku-500', title: null, colour: null, added: null },
      ]);
      expect(data.productList.items[0]).toEqual({
        sku: 'sku-0',
        title: 'Sound 0',
        colour: 'RED',
        added: null,
      });
      expect(errors.length).toBeGreaterThan(15);
    });

    it('causes at most a hundred errors in one response', async () => {
      const lists = Array.from(
        { length: 6 },
        (_, n) => `list${n}: productList(limit: 30) { items { added } }`,
      );
      const { status, data, errors } = await ask(`{ ${lists.join(' ')} }`);
      expect([status, errors.length]).toEqual([200, 100]);
      expect(data.list5.items.at(-1)).toEqual({ added: null });
    });

    it('is reported through references and fragments, with the aliases of the query', async () => {
      await context.call('PUT', {
        path: `/${idOf(4)}`,
        body: { next: { _ref: broken._id, _type: product }, added: 1, soldBy: [] },
      });
      const query = `{ product(_id: "${idOf(4)}") { heading: title follower: next { ...Names } } } fragment Names on Product { hue: colour }`;
      expect(await ask(query)).toMatchObject({
        data: { product: { heading: 'Sound 4', follower: { hue: null } } },
        errors: [{ path: ['product', 'follower', 'hue'], extensions: { code: 'unfit_content' } }],
      });
    });

    it('does not change how other errors set data to null', async () => {
      const { status, data, errors } = await ask(
        `{ product(_id: "${broken._id}") { title } productList(where: "?") { items { sku } } }`,
      );
      expect([status, data]).toEqual([200, null]);
      expect(errors).toMatchObject([
        { path: ['productList', 'items'], extensions: { code: 'predicate_syntax' } },
      ]);
    });

    it('is reported in the result of a mutation; mutations after a failed one do not run', async () => {
      const update = (n: number, input: string) =>
        `updateProduct(_id: "${idOf(n)}", input: { ${input} }) { title colour }`;
      expect(await ask(`mutation { ${update(500, 'plain: "as it was"')} }`)).toMatchObject({
        data: { updateProduct: { title: null, colour: null } },
        errors: [{ path: ['updateProduct', 'title'] }, { path: ['updateProduct', 'colour'] }],
      });
      const { data, errors } = await ask(
        `mutation { ${update(500, 'title: "far too long for that"')} b: ${update(5, 'plain: "reached"')} }`,
      );
      expect([data, errors.length]).toEqual([null, 1]);
      expect((await context.call('GET', { path: `/${idOf(5)}` })).body.result).not.toHaveProperty('plain');
    });

    it('does not make the fields of the published schema nullable', async () => {
      const { data } = await ask('{ __type(name: "Product") { fields { name type { kind } } } }');
      expect(data.__type.fields).toContainEqual({ name: 'added', type: { kind: 'NON_NULL' } });
    });
  });

  describe('on a mapped route', () => {
    it('is answered 200 with errors, an ETag and the cache headers of the mapping', async () => {
      await routes.publish({
        name: 'Goods',
        mappings: [
          {
            name: 'All',
            cacheSeconds: 60,
            query: 'query All { productList(limit: 30) { items { sku added colour } } }',
          },
          {
            name: 'Wrong',
            query:
              'query Wrong($where: String!) { product(_id: "' +
              broken._id +
              '") { added } productList(where: $where) { items { sku } } }',
          },
        ],
      });
      const { status, headers, body } = await routes.call('GET', '/goods/all');
      expect([status, body.data.productList.items.length]).toEqual([200, 21]);
      expect(body.errors[0]).toMatchObject({ extensions: { code: 'unfit_content' } });
      expect(headers['cache-control']).toBe('public, max-age=60');
      const again = { headers: { 'If-None-Match': String(headers.etag) } };
      expect((await routes.call('GET', '/goods/all', again)).status).toBe(304);
      const path = `/${idOf(6)}`;
      await context.call('PUT', { path, body: { added: 6 } });
      const changed = await routes.call('GET', '/goods/all', again);
      expect([changed.status, changed.body.errors.length]).toEqual([200, body.errors.length - 1]);
    });

    it('is null in a result, with a header that counts such values', async () => {
      const query =
        'query Some($limit: Int! = 30) { productList(limit: $limit) { items { sku added colour } } }';
      const result = '/productList/items';
      await routes.publish({ name: 'Wares', mappings: [{ name: 'Some', cacheSeconds: 60, query, result }] });
      const whole = await routes.call('GET', '/goods/all');
      const { status, headers, body } = await routes.call('GET', '/wares/some');
      expect([status, body]).toEqual([200, whole.body.data.productList.items]);
      expect(headers['x-unfit']).toBe(String(whole.body.errors.length));
      expect((await routes.call('GET', '/wares/some?limit=0')).headers).not.toHaveProperty('x-unfit');
    });

    it('is answered with the status of another error when there is one', async () => {
      const { status, body } = await routes.call('GET', '/goods/wrong?where=nothing');
      expect([status, body.data]).toEqual([400, null]);
    });
  });

  it('is reported after the items of a streamed page', async () => {
    const large = [10, 11, 12, 13].map(idOf);
    for (const id of large)
      await context.call('PUT', { path: `/${id}`, body: { plain: 'x'.repeat(400_000) } });
    const { body, headers } = await context.call('GET', { query: { from: product, limit: 30 } });
    expect(headers).not.toHaveProperty('content-length');
    expect(body.result.items).toHaveLength(21);
    const reported = new Set(body.unfit.map(({ _id }: { _id: string }) => _id));
    expect(large.filter((id) => !reported.has(id))).toEqual([]);
    expect(reported).toContain(broken._id);
  });

  it('is checked on reads of the affected types only', () => {
    const { unfit } = context.instance.services.content;
    expect([product, shelf].map(unfit.isChecked)).toEqual([true, false]);
  });
});
