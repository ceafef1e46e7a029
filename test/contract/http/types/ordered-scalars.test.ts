/** `Date`, `DateTime` and `Decimal` on all surfaces: kept as written, compared as what they stand for. */
import { beforeAll, expect, it } from 'vitest';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';
import { createWorkspace, onServer, run } from '../../transfer/workspace.ts';
import { by, open, send } from '../routes/routes-context.ts';

const sdl = `
type Offer @contentType(class: "test.Offer") {
  price: Decimal! @indexed @constraint(min: 0, max: 99999.99, scale: 2)
  amount: Decimal @indexed
  code: Decimal @indexed(unique: true)
  day: Date @default(value: "2024-02-29") @indexed
  opens: DateTime @indexed
  times: [DateTime!] @indexed
  part: OfferPart
  better: Offer
}
type OfferPart { from: Date weight: Decimal }
`;
const type = 'test.Offer';

describeOnEachStore('Date, DateTime and Decimal', (locations) => {
  const types = makeTypesFolder(sdl);
  let instance: TestInstance;
  const ids: string[] = [];

  const cma = (method: string, path: string, json?: unknown) =>
    send(instance.url, method, `/api/rest/cma/contents${path}`, {
      headers: instance.headers,
      ...(json === undefined ? {} : { json }),
    });
  const graphql = async (query: string, variables?: object) =>
    (await send(instance.url, 'POST', '/graphql/open', { json: { query, variables } })).body;
  const find = async (parameters: Readonly<Record<string, string>>) =>
    (await cma('GET', `?${new URLSearchParams({ from: type, ...parameters })}`)).body;
  const found = async (where: string) =>
    (await find({ where })).result.items.map(({ _id }: { _id: string }) => ids.indexOf(_id));

  const given = [
    {
      price: '1.00',
      amount: '0.3',
      code: '1.0',
      opens: '2024-03-01T01:30:00+02:00',
      times: ['1969-12-31T23:59:59.5Z'],
    },
    {
      price: '12.5',
      amount: '12345678901234567890.120',
      day: '0001-01-01',
      opens: '1969-12-31T23:00:00-01:00',
    },
    {
      price: '1',
      amount: '-0.3',
      code: '2',
      opens: '2024-02-29t23:30:00.000z',
      part: { from: '2024-01-31', weight: '0.30' },
    },
  ];

  beforeAll(async () => {
    instance = await startInstance(locations(), { typesDir: types });
    await instance.services.graphqlEndpoints.create(open);
    const query =
      'query Offers($most: Decimal, $from: DateTime) { offerList(filter: { price: { le: $most }, opens: { ge: $from } }) { count } }';
    const body = { name: 'Offers', source: open.name, mappings: [{ name: 'Offers', query }] };
    const { id } = await instance.services.restEndpoints.create({ body, by });
    await instance.services.restEndpoints.publish({ id, by });
    await instance.refresh();
    for (const offer of given) ids.push((await cma('POST', '', { _type: type, ...offer })).body.result._id);
  });

  it('are kept as written', async () => {
    for (const [index, id] of ids.entries()) {
      const { result } = (await cma('GET', `/${id}`)).body;
      expect(result).toMatchObject({ day: '2024-02-29', ...given[index] });
    }
  });

  it.each([
    [{ price: 1.5 }, 'price', /^must be a decimal number as a text.*; write 1.5 as the text "1.5"$/],
    [{ price: '1.005' }, 'price', /^must have at most 2 digits after the point$/],
    [{ price: '-0.01' }, 'price', /^must be at least 0$/],
    [{ price: '100000' }, 'price', /^must be at most 99999.99$/],
    [{ price: '1', day: '2023-02-29' }, 'day', /^must be a day of the calendar/],
    [{ price: '1', times: ['2024-01-01T00:00:00'] }, 'times[0]', /^must be a date and time with its offset/],
    [{ price: '1', part: { from: 5 } }, 'part.from', /^must be a day of the calendar/],
  ])('are refused with their path: %j', async (fields, path, message) => {
    const { status, body } = await cma('POST', '', { _type: type, ...fields });
    expect([status, body.error.problems]).toEqual([400, [{ path, message: expect.stringMatching(message) }]]);
  });

  it('are compared by predicates as what they stand for', async () => {
    expect(await found('price = 1.000')).toEqual([0, 2]);
    expect(await found('amount > 0.1 and amount <= 0.30')).toEqual([0]);
    expect(await found('amount = 12345678901234567890.12')).toEqual([1]);
    expect(await found('amount = 12345678901234567890.13')).toEqual([]);
    expect(await found("opens = '2024-02-29T23:30:00Z'")).toEqual([0, 2]);
    expect(await found('opens < 1970-01-01T00:00:00.000001Z')).toEqual([1]);
    expect(await found('times < 1970-01-01T00:00:00Z')).toEqual([0]);
    expect(await found('day < 1000-01-01 or part.weight = 0.3')).toEqual([1, 2]);
    expect((await find({ where: 'price > ?', values: '0.3' })).result.items).toHaveLength(3);
    const query = { from: type, where: 'price > ?', values: [0.3] };
    expect((await cma('POST', '/query', query)).body.error.message).toMatch(
      /^Column 9: expected a decimal number as a text.*; write 0.3 as the text "0.3"$/,
    );
    expect((await find({ where: 'opens startsWith 2024' })).error.code).toBe('predicate_type');
  });

  it('are sorted by, page by page, and counted', async () => {
    const seen: number[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { result } = await find({ sort: '-opens,price', limit: '1', cursor });
      seen.push(...result.items.map(({ _id }: { _id: string }) => ids.indexOf(_id)));
      cursor = result.next;
    }
    expect(seen.slice(0, 2).toSorted()).toEqual([0, 2]);
    expect(seen.slice(2)).toEqual([1]);
    const { result } = await find({ sort: 'amount', facets: 'price,opens,times,day' });
    expect(result.items.map(({ _id }: { _id: string }) => ids.indexOf(_id))).toEqual([2, 0, 1]);
    expect(result.facets).toEqual({
      price: [
        { value: '1', count: 2 },
        { value: '12.5', count: 1 },
      ],
      opens: [
        { value: '2024-02-29T23:30:00Z', count: 2 },
        { value: '1970-01-01T00:00:00Z', count: 1 },
      ],
      times: [{ value: '1969-12-31T23:59:59.5Z', count: 1 }],
      day: [
        { value: '2024-02-29', count: 2 },
        { value: '0001-01-01', count: 1 },
      ],
    });
  });

  it('are unique, and name assets, by what they stand for', async () => {
    const { status, body } = await cma('POST', '', { _type: type, price: '1', code: '01.000' });
    expect([status, body.error.code, body.error.message]).toEqual([
      409,
      'value_in_use',
      expect.stringContaining('code'),
    ]);
    expect((await cma('PUT', `/${ids[2]}`, { code: '1' })).body.error.code).toBe('value_in_use');
    const operations = [
      { action: 'upsert', by: 'code', asset: { _type: type, price: '3', code: '2.00' } },
      { action: 'update', asset: { _id: ids[1], better: { _type: type, _by: { code: '1' } } } },
    ];
    const batch = await cma('POST', '/batch', { operations });
    expect(
      batch.body.result.results.map(({ outcome, _id }: { outcome: string; _id: string }) => [outcome, _id]),
    ).toEqual([
      ['updated', ids[2]],
      ['updated', ids[1]],
    ]);
    expect(await found('better/code = 1')).toEqual([1]);
    await cma('PUT', `/${ids[2]}`, { price: '1', code: '2' });
    const unknown = await cma('PUT', `/${ids[1]}`, { better: { _type: type, _by: { code: '7.50' } } });
    expect(unknown.body.error.message).toContain('code "7.5"');
  });

  it('are read, written, filtered and looked up in GraphQL', async () => {
    const create =
      'mutation ($price: Decimal!, $opens: DateTime) { createOffer(input: { price: $price, opens: $opens, day: "2024-03-01" }) { _id price opens day } }';
    const made = await graphql(create, { price: '2.50', opens: '2024-01-01T00:00:00-08:00' });
    const { _id, ...offer } = made.data.createOffer;
    expect(offer).toEqual({ price: '2.50', opens: '2024-01-01T00:00:00-08:00', day: '2024-03-01' });
    expect((await graphql(create, { price: 2.5 })).errors[0].message).toMatch(/Decimal must be .*"2.5"$/);
    const literal = await graphql('{ offerList(filter: { price: { eq: 2.5 } }) { count } }');
    expect(literal.errors[0].message).toMatch(
      /Decimal must be a decimal number as a text.*; write 2.5 as the text "2.5"/,
    );
    const { data } = await graphql(
      `query ($at: DateTime!) {
        a: offerList(filter: { price: { gt: "1", le: "2.500" } }) { count }
        b: offerList(filter: { opens: { eq: $at }, times: { any: { lt: $at } } }) { count }
        c: offerList(filter: { day: { in: ["2024-03-01", "0001-01-01"] } }, sortBy: [{ field: "day" }]) { items { day } facets(paths: ["price"]) { values { value } } }
        d: offerBy(key: { code: "1.000" }) { price }
      }`,
      { at: '2024-02-29T15:30:00-08:00' },
    );
    expect(data).toEqual({
      a: { count: 1 },
      b: { count: 1 },
      c: {
        items: [{ day: '0001-01-01' }, { day: '2024-03-01' }],
        facets: [{ values: [{ value: '2.5' }, { value: '12.5' }] }],
      },
      d: { price: '1.00' },
    });
    await cma('DELETE', `/${_id}`);
  });

  it('are parameters of mapped routes', async () => {
    const route = async (query: string) => (await send(instance.url, 'GET', `/offers/offers${query}`)).body;
    expect((await route('?most=1.0')).data?.offerList).toEqual({ count: 2 });
    expect((await route('?most=1&from=2024-02-29T23:30:00Z')).data?.offerList).toEqual({ count: 2 });
    expect((await route('?most=1e3')).errors[0].message).toContain('decimal number');
  });

  it('are in the OpenAPI document', async () => {
    const headers = await instance.createClient({ scopes: ['admin'] });
    await instance.refresh();
    const { body: document } = await send(instance.url, 'GET', '/api/admin/cma/openapi.json', { headers });
    const { properties } = document.components.schemas.Offer;
    expect(properties).toMatchObject({
      price: {
        type: 'string',
        format: 'decimal',
        pattern: '^-?[0-9]+(\\.[0-9]{1,2})?$',
        'x-maximum': 99999.99,
      },
      day: { type: 'string', format: 'date' },
      times: { type: 'array', items: { type: 'string', format: 'date-time' } },
    });
  });

  it('are exported and imported as they are', async () => {
    const work = createWorkspace();
    const site = onServer(instance);
    const file = work.path('offers.ndjson');
    expect(await run('export', site, ['--from', type, '--out', file])).toMatchObject({ exitCode: 0 });
    const before = await Promise.all(ids.map(async (id) => (await cma('GET', `/${id}`)).body.result));
    for (const id of ids) await cma('DELETE', `/${id}`);
    expect((await run('import', site, [file])).stdout).toBe('created 3, updated 0, failed 0\n');
    expect(await Promise.all(ids.map(async (id) => (await cma('GET', `/${id}`)).body.result))).toEqual(
      before,
    );
  }, 120_000);
});
