/** Cases of the dry run of a publication: what callers of the published routes would see change, and who has called them. */
import { describe, expect, it } from 'vitest';
import type { AdminContext } from './admin-caller.ts';
import { createRestMaker } from './rest-endpoint.ts';

interface Definition {
  readonly mappings: readonly object[];
}

type Change = (definition: Definition) => object;

const query =
  'query List($name: String, $limit: Int = 10) { authorList(filter: { name: { eq: $name } }, limit: $limit) { count items { name } } }';

/** Changes members of the definition, or of its one mapping. */
const set =
  (fields: object): Change =>
  (definition) => ({ ...definition, ...fields });
const setInMapping =
  (fields: object): Change =>
  (definition) => ({ ...definition, mappings: definition.mappings.map((one) => ({ ...one, ...fields })) });

/** Replaces parts of its query. */
const rewrite = (...parts: [part: string, other: string][]): Change =>
  setInMapping({ query: parts.reduce((text, [part, other]) => text.replace(part, other), query) });

const all = ['GET', 'POST'];
const mutation = 'mutation Remove($_id: ID!) { deleteAuthor(_id: $_id) }';

/** Changes that callers notice, with the routes that break: the effect, the methods and the breaking changes. */
const breaking: [name: string, change: Change, expected: unknown[][]][] = [
  ['another path', setInMapping({ path: '/other' }), [['ENDS', all]]],
  ['a method less', setInMapping({ methods: ['GET'] }), [['ENDS', ['POST']]]],
  ['another mapping in its place', set({ mappings: [{ name: 'New', query }] }), [['ENDS', all]]],
  ['stricter access', set({ access: 'API_KEY' }), [['RESTRICTED', all]]],
  [
    'disabled slash syntax',
    set({ disableParameterSlashSyntax: true }),
    [['CHANGED', all, 'variables in query strings and forms are JSON literals, and were texts']],
  ],
  [
    'a variable less',
    rewrite(['$name: String, ', ''], ['filter: { name: { eq: $name } }, ', '']),
    [
      ['CHANGED', ['GET'], 'query parameter name is removed'],
      ['CHANGED', ['POST'], 'body.name is removed'],
    ],
  ],
  [
    'an optional variable that becomes required',
    rewrite(['$name: String', '$name: String!']),
    [
      ['CHANGED', ['GET'], 'query parameter name is required, and was optional'],
      [
        'CHANGED',
        ['POST'],
        'body is required, and was optional',
        'body.name is required, and was optional',
        'body.name may no longer be null',
      ],
    ],
  ],
  [
    'a new required variable',
    rewrite(['$limit: Int = 10', '$limit: Int = 10, $not: String!'], ['eq: $name', 'eq: $name, ne: $not']),
    [
      ['CHANGED', ['GET'], 'query parameter not is new and required'],
      ['CHANGED', ['POST'], 'body is required, and was optional', 'body.not is new and required'],
    ],
  ],
  ['a field less', rewrite(['count ', '']), [['CHANGED', all, 'response.data.authorList.count is removed']]],
  [
    'a field under another name',
    rewrite(['count ', 'total: count ']),
    [['CHANGED', all, 'response.data.authorList.count is removed']],
  ],
  [
    'a part of the data as the response',
    setInMapping({ result: '/authorList' }),
    [['CHANGED', all, 'response is the value at /authorList alone, and was the GraphQL response']],
  ],
];

/** Changes that break no caller, with all that is reported of them. */
const compatible: [name: string, change: Change, expected: string[]][] = [
  ['another name', set({ name: 'Renamed endpoint' }), []],
  ['another text of the query', rewrite(['{ count', '\n  # Counts.\n  { count']), []],
  [
    'one field more',
    rewrite(['items { name }', 'items { name _id }']),
    ['safe response.data.authorList.items[]._id is new'],
  ],
  [
    'another filter',
    rewrite(['eq: $name', 'contains: $name']),
    ['attention response reads authorList from another field, or with other arguments'],
  ],
  ['another default', rewrite(['= 10', '= 5']), ['attention variable limit has the default 5, and had 10']],
  [
    'a place that means 404',
    setInMapping({ notFound: '/authorList/items/0' }),
    ['attention response has the status 404 if /authorList/items/0 is null'],
  ],
];

/** Runs the cases. */
export function describeRouteChanges(context: AdminContext): void {
  const { call, instance, newName } = context;
  const { create, pathOf } = createRestMaker(context);

  async function makePublished(fields: object = {}) {
    const pathPrefix = `/changes/${newName().replace(' ', '-').toLowerCase()}`;
    const mappings = [{ name: 'List', methods: all, query }];
    const created = await create({ pathPrefix, mappings, ...fields });
    await call('POST', `${pathOf(created)}/publish`);
    return { id: created.body.id, draft: created.body.draft, pathPrefix };
  }

  async function tryOut(change: Change, fields?: object) {
    const { id, draft } = await makePublished(fields);
    const body = { change: 'PUBLISH', id, definition: change(draft) };
    const { status, body: outcome } = await call('POST', '/rest-endpoints/dry-run', { body });
    expect([status, outcome]).toEqual([200, expect.anything()]);
    return outcome;
  }

  describe('the dry run of a publication', () => {
    it.each(breaking)('finds the routes that break by %s', async (_name, change, expected) => {
      const { breaks } = await tryOut(change);
      const found = breaks.map(({ effect, methods, changes }: Affected) => [
        effect,
        methods,
        ...changes
          .filter(({ severity }) => severity === 'breaking')
          .map(({ place, message }) => `${place} ${message}`),
      ]);
      expect(found).toEqual(expected);
    });

    it.each(compatible)('finds nothing that breaks by %s', async (_name, change, expected) => {
      const { breaks, changes } = await tryOut(change, { mappings: [{ name: 'List', query }] });
      const found = changes.flatMap((route: Affected) =>
        route.changes.map(({ severity, place, message }) => `${severity} ${place} ${message}`),
      );
      expect([breaks, found]).toEqual([[], expected]);
    });

    it('compares paths without the names of their parameters', async () => {
      const byName = (name: string) =>
        query.replace('$name', `$${name}`).replace('$name', `$${name}`).replace('String', 'String!');
      const mapping = { name: 'List', methods: all, path: '/{name}', query: byName('name') };
      const change = setInMapping({ path: '/{called}', query: byName('called') });
      const { breaks } = await tryOut(change, { mappings: [mapping] });
      expect(breaks).toEqual([]);
    });

    it('names those who have called the routes that change', async () => {
      const { id, draft, pathPrefix } = await makePublished({ access: 'API_KEY' });
      const { body } = await call('POST', '/api-clients', { body: { name: newName(), scopes: ['graphql'] } });
      const { clientId } = body.client;
      const headers = { 'X-Client-Id': clientId, 'X-Client-Secret': body.secret };
      for (const method of ['GET', 'GET', 'POST'])
        await fetch(`${instance().url}${pathPrefix}/list`, { method, headers });
      await instance().services.usage.flush();
      const definition = rewrite(['count ', ''])(draft);
      const tried = await call('POST', '/rest-endpoints/dry-run', {
        body: { change: 'PUBLISH', id, definition },
      });
      const callers = { days: 30, requests: 3, count: 1, items: [{ clientId, requests: 3 }] };
      expect(tried.body.breaks).toMatchObject([{ methods: all, callers }]);
    });

    it('says whether it opens the endpoint to others', async () => {
      const source = { name: newName(), readTypes: ['*'], access: 'ANYONE' };
      const { id } = (await call('POST', '/graphql-endpoints', { body: source })).body;
      const opened = async (before: string, after: string, fields = {}) =>
        (await tryOut(set({ access: after }), { access: before, ...fields })).opensTo;
      expect(await opened('INHERIT', 'ANYONE')).toBe('ANYONE');
      // The source may require credentials later.
      expect(await opened('INHERIT', 'ANYONE', { source: id })).toBe('ANYONE');
      expect(await opened('CLIENT_CREDENTIALS', 'API_KEY')).toBe('API_KEY');
      expect(await opened('API_KEY', 'CLIENT_CREDENTIALS')).toBeUndefined();
      expect(await opened('ANYONE', 'INHERIT', { source: id })).toBeUndefined();
      const replaced = { change: 'REPLACE', id, definition: { ...source, access: 'API_KEY' } };
      expect(
        (await call('POST', '/graphql-endpoints/dry-run', { body: replaced })).body.opensTo,
      ).toBeUndefined();
    });

    it('warns of a mutation that GET runs', async () => {
      const source = { name: newName(), readTypes: ['*'], writeTypes: ['*'], access: 'API_KEY' };
      const made = (await call('POST', '/graphql-endpoints', { body: source })).body;
      const definition = {
        name: newName(),
        source: made.id,
        access: 'INHERIT',
        mappings: [{ name: 'Remove', methods: ['GET', 'POST'], query: mutation }],
      };
      const message =
        'GET runs the mutation Remove, and browsers and crawlers send GET requests by themselves';
      const warnings = [{ code: 'get_mutation', message, path: 'mappings[0].methods', mapping: 'Remove' }];
      const checked = await call('POST', '/rest-endpoints/check', { body: definition });
      expect(checked.body.warnings).toEqual(warnings);
      const created = await create(definition);
      expect(created.body.warnings).toEqual(warnings);
      const body = { change: 'PUBLISH', id: created.body.id };
      expect((await call('POST', '/rest-endpoints/dry-run', { body })).body.warnings).toEqual(warnings);
    });
  });
}

interface Affected {
  readonly effect: string;
  readonly methods: readonly string[];
  readonly changes: readonly { severity: string; place: string; message: string }[];
}
