/**
 * Fields whose names every JavaScript object inherits, such as `constructor`, that begin with `_` or have hyphens, on all surfaces: they
 * behave as fields with any other name, where they are given as well as where they are absent.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { keepsHistory } from '../../../support/history.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';
import { createWorkspace, onServer, run } from '../../transfer/workspace.ts';
import { by, documentOf, open, send } from '../routes/routes-context.ts';

const sdl = `
type Odd @contentType(class: "test.Odd") {
  constructor: String @indexed
  toString: String @indexed @searchable
  hasOwnProperty: [String!] @indexed
  valueOf: Int @indexed
  isPrototypeOf: OddLevel @indexed
  toLocaleString: Odd
  propertyIsEnumerable: JSON
  toJSON: OddPart
  parts: [OddPart!]
  odd_constructor: Int @json(name: "odd.constructor") @indexed
  _version: String @indexed
  _names: [String!] @indexed @searchable
  og_title: String @json(name: "og-title") @indexed @searchable
}
type OddPart { constructor: String! toString: Int hasOwnProperty: OddPart valueOf: [OddLevel!] _json: String x_y: Int @json(name: "x-y") }
enum OddLevel { constructor toString }
type constructor @contentType(class: "constructor") {
  toString: String @indexed
  valueOf: Odd
  preset: OddPart @default(value: { constructor: "preset" })
}
`;

const odd = 'test.Odd';

const parts: readonly object[] = [{ constructor: 'first' }, { constructor: 'second', toString: 0 }];

/** A value for each field. */
const filled = {
  constructor: 'made',
  toString: 'some words',
  hasOwnProperty: ['one', 'two'],
  valueOf: 7,
  isPrototypeOf: 'constructor',
  propertyIsEnumerable: { constructor: [{ toString: 1 }], hasOwnProperty: null },
  toJSON: {
    constructor: 'inner',
    toString: 3,
    hasOwnProperty: { constructor: 'innermost' },
    valueOf: ['toString'],
    _json: '{',
    'x-y': 9,
  },
  parts,
  'odd.constructor': 5,
  _version: 'v1',
  _names: ['of words', 'more'],
  'og-title': 'A title',
};

const selection = `constructor toString hasOwnProperty valueOf isPrototypeOf propertyIsEnumerable odd_constructor
  toJSON { constructor toString hasOwnProperty { constructor toString hasOwnProperty { constructor } valueOf } valueOf _json x_y }
  parts { constructor toString } _version _names og_title`;

/** The values by GraphQL names, with null for what is absent. */
const { 'odd.constructor': oddConstructor, 'og-title': ogTitle, toJSON, ...others } = filled;
const { 'x-y': xy, ...part } = toJSON;
const plain = { ...others, toJSON: { ...part, x_y: xy } };
const inGraphql = {
  ...plain,
  odd_constructor: oddConstructor,
  og_title: ogTitle,
  toJSON: {
    ...plain.toJSON,
    hasOwnProperty: { constructor: 'innermost', toString: null, hasOwnProperty: null, valueOf: null },
  },
  parts: [{ constructor: 'first', toString: null }, parts[1]],
};
const emptyPart = { toString: null, hasOwnProperty: null, valueOf: null, _json: null, x_y: null };
const emptyInGraphql = Object.fromEntries(Object.keys(inGraphql).map((name) => [name, null]));

/** The input by GraphQL names. */
const input = { ...plain, odd_constructor: oddConstructor, og_title: ogTitle };

const create = `mutation Create($input: CreateOddInput!) { createOdd(input: $input) { _id ${selection} } }`;
const createByNames = `mutation ByNames($constructor: String, $toString: String, $hasOwnProperty: [String!], $valueOf: Int, $toJSON: OddPartInput) {
  createOdd(input: { constructor: $constructor, toString: $toString, hasOwnProperty: $hasOwnProperty, valueOf: $valueOf, toJSON: $toJSON }) {
    constructor toString hasOwnProperty valueOf toJSON { constructor toString }
  }
}`;
const update = `mutation Update($id: ID!, $input: UpdateOddInput!) { updateOdd(_id: $id, input: $input) { ${selection} } }`;
const find = `query Find($toString: String, $valueOf: [JSON!], $constructor: [SortInput!]) {
  hasOwnProperty: oddList(where: $toString, values: $valueOf, sortBy: $constructor) {
    constructor: count
    facets(paths: ["constructor", "hasOwnProperty", "toString"]) { toString: path values { valueOf: value count } }
    items { toString: constructor constructor: toString }
  }
}`;

describeOnEachStore('fields with inherited names', (locations) => {
  const types = makeTypesFolder(sdl);
  let instance: TestInstance;
  let endpoint: string;
  let full: string;
  let empty: string;

  const cma = (method: string, path: string, json?: unknown) =>
    send(instance.url, method, `/api/rest/cma/contents${path}`, {
      headers: instance.headers,
      ...(json === undefined ? {} : { json }),
    });
  const result = async (...args: Parameters<typeof cma>) => {
    const { status, body } = await cma(...args);
    expect([status, body.error]).toEqual([200, undefined]);
    return body.result;
  };
  const graphql = async (query: string, variables?: object) => {
    const { body } = await send(instance.url, 'POST', '/graphql/open', { json: { query, variables } });
    expect(body.errors).toBeUndefined();
    return body.data;
  };
  const route = async (method: string, path: string, sent?: Parameters<typeof send>[3]) => {
    const { status, body } = await send(instance.url, method, path, sent);
    expect([status, body.errors]).toEqual([200, undefined]);
    return body.data;
  };

  beforeAll(async () => {
    instance = await startInstance(locations(), { typesDir: types });
    await instance.services.graphqlEndpoints.create(open);
    const mappings = [
      { name: 'Create', query: create },
      { name: 'By names', query: createByNames, methods: ['GET', 'POST'] },
      { name: 'Find', query: find, methods: ['GET', 'POST'] },
    ];
    for (const disableParameterSlashSyntax of [false, true]) {
      const body = {
        name: disableParameterSlashSyntax ? 'Literal' : 'Slash',
        source: open.name,
        disableParameterSlashSyntax,
        mappings,
      };
      const { id } = await instance.services.restEndpoints.create({ body, by });
      await instance.services.restEndpoints.publish({ id, by });
      endpoint = id;
    }
    await instance.refresh();
    ({ _id: full } = await result('POST', '', { _type: odd, ...filled }));
    ({ _id: empty } = await result('POST', '', { _type: odd }));
  });

  describe('in the content management API', () => {
    const metadata = {
      _id: expect.any(String),
      _type: odd,
      'cms.content.publishDate': expect.any(Number),
      'cms.content.updateDate': expect.any(Number),
    };

    it('are stored, and absent where they were not given', async () => {
      expect(await result('GET', `/${full}`)).toEqual({ ...metadata, ...filled });
      expect(await result('GET', `/${empty}`)).toEqual(metadata);
    });

    it.each(Object.entries(filled))('are changed and cleared one by one: %s', async (name, value) => {
      const { _id } = await result('POST', '', { _type: odd });
      expect(await result('PUT', `/${_id}`, { [name]: value })).toEqual({ ...metadata, [name]: value });
      expect(await result('PUT', `/${_id}`, { [name]: null })).toEqual(metadata);
      await cma('DELETE', `/${_id}`);
    });

    it('are found by predicates', async () => {
      for (const where of [
        'constructor = made',
        'toString matches words',
        'hasOwnProperty = two',
        'valueOf = 7',
        'isPrototypeOf = constructor',
        'propertyIsEnumerable != null',
        'toJSON.constructor = inner',
        'toJSON.hasOwnProperty.constructor = innermost',
        'parts.constructor = second',
        'odd.constructor = 5',
        '_version = v1',
        '_names matchesAll "words of"',
        'og-title startsWith A and og-title matches "titl*"',
        'toJSON._json = "{" and toJSON.x-y = 9',
      ]) {
        const { items } = await result('GET', `?from=${odd}&where=${encodeURIComponent(where)}`);
        expect([where, items.map(({ _id }: { _id: string }) => _id)]).toEqual([where, [full]]);
      }
      for (const name of Object.keys(filled)) {
        const where = encodeURIComponent(`${name} = null`);
        const { items } = await result('GET', `?from=${odd}&where=${where}&limit=100`);
        expect([name, items.map(({ _id }: { _id: string }) => _id)]).toEqual([name, [empty]]);
      }
    });

    it('are selected, sorted by, counted and followed', async () => {
      const { items, facets } = await result(
        'GET',
        `?from=${odd}&sort=-constructor,toString,valueOf&fields=constructor,toString,toJSON.constructor&facets=constructor,toString,hasOwnProperty`,
      );
      const expected: readonly object[] = [
        {
          _id: full,
          _type: odd,
          constructor: 'made',
          toString: 'some words',
          toJSON: { constructor: 'inner' },
        },
        { _id: empty, _type: odd },
      ];
      expect(items).toEqual(expected);
      expect(facets).toEqual({
        constructor: [{ value: 'made', count: 1 }],
        toString: [{ value: 'some words', count: 1 }],
        hasOwnProperty: [
          { value: 'one', count: 1 },
          { value: 'two', count: 1 },
        ],
      });
      const { _id } = await result('POST', '', { _type: odd, toLocaleString: { _ref: full, _type: odd } });
      const { included } = await result('GET', `?from=${odd}&where=_id%3D${_id}&include=toLocaleString`);
      expect(included).toMatchObject({ [full]: { constructor: 'made' } });
      await cma('DELETE', `/${_id}`);
    });

    it('are read page by page by cursor', async () => {
      const seen: string[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const page: { items: { _id: string }[]; next?: string } = await result(
          'GET',
          `?from=${odd}&sort=constructor,valueOf&limit=1&cursor=${encodeURIComponent(cursor)}`,
        );
        seen.push(...page.items.map(({ _id }) => _id));
        cursor = page.next;
      }
      expect(seen).toEqual([empty, full]);
    });

    it('are named in messages, and another name is refused', async () => {
      const { body } = await cma('POST', '', {
        _type: odd,
        constructor: 1,
        toString: {},
        valueOf: 'x',
        hasOwn: 1,
      });
      expect(body.error.problems.map(({ path }: { path: string }) => path)).toEqual([
        'constructor',
        'toString',
        'valueOf',
        'hasOwn',
      ]);
      const proto = await send(instance.url, 'POST', '/api/rest/cma/contents', {
        headers: { ...instance.headers, 'Content-Type': 'application/json' },
        raw: `{"_type":"${odd}","__proto__":{"constructor":"x"}}`,
      });
      expect([proto.status, proto.body.error.problems[0].path]).toEqual([400, '__proto__']);
      for (const name of ['__proto__', 'hasOwn', 'toJSON.valueOf.constructor', 'toJSON.__proto__']) {
        for (const parameters of [
          `where=${name}%3D1`,
          `sort=${name}`,
          `fields=${name}`,
          `include=${name}`,
          `facets=${name}`,
        ]) {
          const refused = await cma('GET', `?from=${odd}&${parameters}`);
          expect([name, parameters, refused.status]).toEqual([name, parameters, 400]);
        }
      }
    });

    it('are written in batches', async () => {
      const operation = { action: 'create', asset: { _type: odd, ...filled } };
      const { results } = await result('POST', '/batch', { operations: [operation] });
      expect(await result('GET', `/${results[0]._id}`)).toEqual({ ...metadata, ...filled });
      await cma('DELETE', `/${results[0]._id}`);
    });

    it('are merged with the changes of others, and restored', async () => {
      if (!(await keepsHistory(instance))) return;
      const headers = await instance.createClient({ scopes: ['history', 'cma:read', 'cma:write'] });
      await instance.refresh();
      const ask = async (method: string, path: string, json?: object, more: object = {}) =>
        send(instance.url, method, `/api/rest/cma/contents${path}`, {
          headers: { ...headers, ...more },
          ...(json && { json }),
        });
      const created = await ask('POST', '', { _type: odd, constructor: 'a' });
      const { _id } = created.body.result;
      const base = { 'X-Base-Version': created.headers.etag };
      await ask('PUT', `/${_id}`, { toString: 'theirs', constructor: null });
      const conflict = await ask('PUT', `/${_id}`, { toString: 'yours', constructor: 'b', valueOf: 1 }, base);
      expect([conflict.status, conflict.body.error.conflicts]).toEqual([
        409,
        [
          { path: 'constructor', base: 'a', yours: 'b' },
          { path: 'toString', theirs: 'theirs', yours: 'yours' },
        ],
      ]);
      const merged = await ask('PUT', `/${_id}`, { valueOf: 1 }, base);
      expect(merged.body.result).toEqual({ ...metadata, _id, toString: 'theirs', valueOf: 1 });
      const { items } = (await ask('GET', `/${_id}/history`)).body.result;
      expect(items.map(({ changed }: { changed?: string[] }) => changed?.toSorted())).toEqual([
        ['cms.content.updateDate', 'valueOf'],
        ['cms.content.updateDate', 'constructor', 'toString'],
        expect.arrayContaining(['constructor']),
      ]);
      const restored = await ask('POST', `/${_id}/restore`, {
        version: JSON.parse(created.headers.etag ?? '').split('.')[0],
        fields: ['constructor', 'toString', 'hasOwnProperty'],
      });
      expect(restored.body.result).toEqual({ ...metadata, _id, constructor: 'a', valueOf: 1 });
      await ask('DELETE', `/${_id}`);
    });

    it('are members of JSON values, __proto__ included', async () => {
      const raw = '{"constructor":1,"__proto__":{"toString":[{"__proto__":null}]}}';
      const { body } = await send(instance.url, 'POST', '/api/rest/cma/contents', {
        headers: { ...instance.headers, 'Content-Type': 'application/json' },
        raw: `{"_type":"${odd}","propertyIsEnumerable":${raw}}`,
      });
      const { _id } = body.result;
      const read = await cma('GET', `/${_id}`);
      expect(read.text).toContain(`"propertyIsEnumerable":${raw}`);
      const selected = await cma('GET', `?from=${odd}&where=_id%3D${_id}&fields=propertyIsEnumerable`);
      expect(selected.text).toContain(`"propertyIsEnumerable":${raw}`);
      const asked = await send(instance.url, 'POST', '/graphql/open', {
        json: { query: `{ odd(_id: "${_id}") { propertyIsEnumerable } }` },
      });
      expect(asked.text).toContain(`"propertyIsEnumerable":${raw}`);
      const { text } = await send(instance.url, 'POST', '/graphql/open', {
        headers: { 'Content-Type': 'application/json' },
        raw: JSON.stringify({
          query: `mutation ($json: JSON) { updateOdd(_id: "${_id}", input: { propertyIsEnumerable: $json }) { propertyIsEnumerable } }`,
          variables: { json: '?' },
        }).replace('"?"', raw),
      });
      expect(text).toContain(`"propertyIsEnumerable":${raw}`);
      await cma('DELETE', `/${_id}`);
    });

    it('belong to types with such names, too', async () => {
      const { _id, preset } = await result('POST', '', {
        _type: 'constructor',
        toString: 'x',
        valueOf: { _ref: full, _type: odd },
      });
      expect(preset).toEqual({ constructor: 'preset' });
      const { items } = await result(
        'GET',
        `?from=constructor&where=${encodeURIComponent('valueOf/constructor = made')}`,
      );
      expect(items).toMatchObject([{ _id, toString: 'x' }]);
      await cma('DELETE', `/${_id}`);
    });
  });

  describe('in files', () => {
    it('are exported and imported', async () => {
      const work = createWorkspace();
      const site = onServer(instance);
      const file = work.path('odd.ndjson');
      expect(await run('export', site, ['--from', odd, '--out', file])).toMatchObject({ exitCode: 0 });
      expect(work.lines('odd.ndjson')).toEqual([
        { ...(await result('GET', `/${full}`)) },
        { ...(await result('GET', `/${empty}`)) },
      ]);
      for (const id of [full, empty]) await cma('DELETE', `/${id}`);
      expect((await run('import', site, [file])).stdout).toBe('created 2, updated 0, failed 0\n');
      expect(await result('GET', `/${full}`)).toMatchObject(filled);
      expect(Object.keys(await result('GET', `/${empty}`))).not.toContain('constructor');
    }, 120_000);
  });

  describe('in GraphQL', () => {
    it('are read, and null where they are absent', async () => {
      const query = `query ($id: ID!) { odd(_id: $id) { ${selection} } }`;
      expect(await graphql(query, { id: full })).toEqual({ odd: inGraphql });
      expect(await graphql(query, { id: empty })).toEqual({ odd: emptyInGraphql });
    });

    it('are written by variables, and absent where they are not given', async () => {
      const { createOdd } = await graphql(create, { input });
      expect(createOdd).toEqual({ _id: createOdd._id, ...inGraphql });
      const { updateOdd } = await graphql(update, { id: createOdd._id, input: { valueOf: 8 } });
      expect(updateOdd).toEqual({ ...inGraphql, valueOf: 8 });
      await cma('DELETE', `/${createOdd._id}`);
      const made = await graphql(create, { input: {} });
      expect(made.createOdd).toEqual({ _id: made.createOdd._id, ...emptyInGraphql });
      await cma('DELETE', `/${made.createOdd._id}`);
    });

    it('are written by literals', async () => {
      const { createOdd } = await graphql(
        `mutation { createOdd(input: { constructor: "a", toJSON: { constructor: "b" }, isPrototypeOf: toString, propertyIsEnumerable: { constructor: { toString: 1 } } }) { _id ${selection} } }`,
      );
      expect(createOdd).toEqual({
        ...emptyInGraphql,
        _id: createOdd._id,
        constructor: 'a',
        toJSON: { ...emptyPart, constructor: 'b' },
        isPrototypeOf: 'toString',
        propertyIsEnumerable: { constructor: { toString: 1 } },
      });
      await cma('DELETE', `/${createOdd._id}`);
    });

    it('are names of variables, aliases, sort keys and counted fields', async () => {
      const variables = { toString: 'valueOf = ?', valueOf: [7], constructor: [{ field: 'constructor' }] };
      expect(await graphql(find, variables)).toEqual({
        hasOwnProperty: {
          constructor: 1,
          facets: [
            { toString: 'constructor', values: [{ valueOf: 'made', count: 1 }] },
            {
              toString: 'hasOwnProperty',
              values: [
                { valueOf: 'one', count: 1 },
                { valueOf: 'two', count: 1 },
              ],
            },
            { toString: 'toString', values: [{ valueOf: 'some words', count: 1 }] },
          ],
          items: [{ toString: 'made', constructor: 'some words' }],
        },
      });
      expect((await graphql(find)).hasOwnProperty.constructor).toBe(2);
    });

    it('leave an alias __proto__ what it is: a name', async () => {
      const { body } = await send(instance.url, 'POST', '/graphql/open', {
        json: { query: `{ __proto__: odd(_id: "${full}") { __proto__: constructor } }` },
      });
      const data = JSON.parse(JSON.stringify(body.data));
      expect(Object.getOwnPropertyDescriptor(data, '__proto__')?.value).toEqual(
        JSON.parse('{"__proto__":"made"}'),
      );
    });

    it('belong to types with such names, too', async () => {
      const data = await graphql(
        'mutation { createconstructor(input: { toString: "x" }) { _id toString valueOf { constructor } } }',
      );
      expect(data.createconstructor).toEqual({
        _id: data.createconstructor._id,
        toString: 'x',
        valueOf: null,
      });
      const list = await graphql(
        '{ constructorList { count items { toString } } constructor(_id: "x") { toString } }',
      );
      expect(list).toEqual({ constructorList: { count: 1, items: [{ toString: 'x' }] }, constructor: null });
      await cma('DELETE', `/${data.createconstructor._id}`);
    });
  });

  describe('in mapped routes', () => {
    const names = {
      constructor: 'a',
      toString: 'b',
      hasOwnProperty: ['c'],
      valueOf: 1,
      toJSON: { constructor: 'd', toString: 2 },
    };
    const slashes =
      'constructor=a&toString=b&hasOwnProperty[]=c&valueOf=1&toJSON/constructor=d&toJSON/toString=2';
    const literals = Object.entries(names)
      .map(([name, value]) => `${name}=${encodeURIComponent(JSON.stringify(value))}`)
      .join('&');
    const absent = { constructor: null, toString: null, hasOwnProperty: null, valueOf: null, toJSON: null };

    it.each([
      ['slash syntax', 'GET', `/slash/by-names?${slashes}`, undefined],
      ['a form', 'POST', '/slash/by-names', { form: slashes }],
      ['a JSON body', 'POST', '/slash/by-names', { json: names }],
      ['literals', 'GET', `/literal/by-names?${literals}`, undefined],
      ['a form of literals', 'POST', '/literal/by-names', { form: literals }],
    ] as const)('are variables: %s', async (_way, method, path, sent) => {
      expect(await route(method, path, sent)).toEqual({ createOdd: names });
    });

    it.each([
      ['GET', '/slash/by-names', undefined],
      ['POST', '/slash/by-names', { form: '' }],
      ['POST', '/slash/by-names', { json: {} }],
      ['POST', '/literal/by-names', { json: {} }],
    ] as const)('are absent where a request leaves them out: %s %s %j', async (method, path, sent) => {
      expect(await route(method, path, sent)).toEqual({ createOdd: absent });
    });

    it('are members of objects', async () => {
      const members =
        'input/constructor=a&input/toJSON/constructor=b&input/parts[0]/constructor=c&input/odd_constructor=3';
      const expected = {
        ...emptyInGraphql,
        _id: expect.any(String),
        constructor: 'a',
        toJSON: { ...emptyPart, constructor: 'b' },
        parts: [{ constructor: 'c', toString: null }],
        odd_constructor: 3,
      };
      expect(await route('POST', `/slash/create?${members}`)).toEqual({ createOdd: expected });
      expect(await route('POST', '/slash/create', { form: members })).toEqual({ createOdd: expected });
      expect((await route('POST', '/literal/create', { json: { input } })).createOdd).toMatchObject(
        inGraphql,
      );
    });

    it('are read by cached routes', async () => {
      const where = `toString=${encodeURIComponent('constructor = ? and valueOf = 7')}&valueOf[]=made&constructor[0]/field=constructor`;
      for (let times = 0; times < 2; times++) {
        expect((await route('GET', `/slash/find?${where}`)).hasOwnProperty.items[0]).toEqual({
          toString: 'made',
          constructor: 'some words',
        });
      }
    });

    it('are described in the OpenAPI document', async () => {
      const document = await documentOf(instance, endpoint);
      const { schemas } = Object(document.components);
      expect(Object.keys(schemas.CreateOddInput.properties)).toEqual(
        expect.arrayContaining(['constructor', 'toString']),
      );
      expect(schemas.OddPartInput.required).toEqual(['constructor']);
    });

    it('do not let __proto__ in', async () => {
      for (const [method, path, sent] of [
        ['GET', '/slash/by-names?__proto__=1', undefined],
        ['GET', '/slash/by-names?toJSON/__proto__=1', undefined],
        ['GET', '/literal/by-names?toJSON={"__proto__":1}', undefined],
        ['POST', '/slash/by-names', { form: '__proto__/constructor=1' }],
        [
          'POST',
          '/slash/by-names',
          { raw: '{"__proto__":{}}', headers: { 'Content-Type': 'application/json' } },
        ],
        [
          'POST',
          '/slash/by-names',
          { raw: '{"toJSON":{"__proto__":{}}}', headers: { 'Content-Type': 'application/json' } },
        ],
      ] as const) {
        const { status, body } = await send(instance.url, method, path, sent);
        expect([path, status]).toEqual([path, 400]);
        expect(body.errors[0].message).toContain('__proto__');
      }
    });
  });
});
