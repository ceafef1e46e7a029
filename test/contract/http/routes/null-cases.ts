/** Cases of null for variables that may be left out, but are used where null is not allowed. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type RoutesContext, send } from './routes-context.ts';

/** Operations that use `$v` in a position without null, with what the request may send instead. */
const cases: readonly [place: string, query: string, accepted: unknown][] = [
  ['a condition', 'query N($v: Boolean = true) { strictList @include(if: $v) { count } }', false],
  ['a skip', 'query N($v: Boolean = true) { __typename strict(_id: "x") @skip(if: $v) { title } }', true],
  [
    'a condition in a fragment',
    'query N($v: Boolean = true) { ...F } fragment F on Query { strictList { count @include(if: $v) } }',
    false,
  ],
  ['an ID', 'query N($v: ID = "x") { strict(_id: $v) { title } }', 'y'],
  ['an element of values', 'query N($v: JSON = 1) { strictList(where: "h = ?", values: [$v]) { count } }', 2],
  [
    'a sort key',
    'query N($v: SortInput = { field: "h" }) { strictList(sortBy: [$v]) { count } }',
    { field: 'title' },
  ],
  [
    'a member of a sort key',
    'query N($v: String = "h") { strictList(sortBy: [{ field: $v }]) { count } }',
    'title',
  ],
  [
    'the paths of facets',
    'query N($v: [String!] = ["h"]) { strictList { facets(paths: $v) { path } } }',
    ['title'],
  ],
  [
    'one path of facets',
    'query N($v: String = "h") { strictList { facets(paths: [$v]) { path } } }',
    'title',
  ],
  [
    'an input',
    'mutation N($v: CreateStrictInput = { title: "a" }) { createStrict(input: $v) { title } }',
    { title: 'b' },
  ],
  [
    'a field of an input',
    'mutation N($v: String = "a") { createStrict(input: { title: $v }) { title } }',
    'b',
  ],
  [
    'an element of a list in an input',
    'mutation N($v: String = "a") { createStrict(input: { title: "a", tags: [$v] }) { tags } }',
    'b',
  ],
  ['a field with a default', 'mutation N($v: Int) { createStrict(input: { title: "a", h: $v }) { h } }', 4],
];

/** Runs the cases. */
export function describeNulls({ call, publish, instance }: RoutesContext): void {
  let id: string;
  const json = (variables: object) => ({ json: variables });

  beforeAll(async () => {
    const mappings = cases.map(([name, query]) => ({ name, query, methods: ['POST', 'PUT'] }));
    ({ id } = await publish({ name: 'Nulls', mappings }));
    await publish({ name: 'Literal nulls', disableParameterSlashSyntax: true, mappings });
  });

  describe.each(cases)('null for a variable with a default, in the place of %s', (place, query, accepted) => {
    const path = place.replaceAll(' ', '-').toLowerCase();

    it('is refused by the route, which names the variable', async () => {
      for (const [prefix, sent] of [
        ['/nulls', json({ v: null })],
        ['/literal-nulls', json({ v: null })],
        ['/literal-nulls', { form: 'v=null' }],
      ] as const) {
        const { status, body } = await call('POST', `${prefix}/${path}`, sent);
        expect([status, body]).toEqual([
          400,
          {
            errors: [
              { message: '"v" must not be null', extensions: { code: 'invalid_parameter', path: 'v' } },
            ],
          },
        ]);
      }
    });

    it('is refused by the GraphQL endpoint, which names the variable', async () => {
      const { status, body } = await send(instance().url, 'POST', '/graphql/open', {
        ...json({ query, variables: { v: null } }),
        headers: { Accept: 'application/graphql-response+json' },
      });
      expect([status, body]).toEqual([
        400,
        {
          errors: [
            {
              message: expect.stringMatching(
                /^Variable "\$v" has invalid value: Expected value of non-null type ".+!" not to be null\.$/,
              ),
              locations: [{ line: 1, column: expect.any(Number) }],
              extensions: { code: 'invalid_variables' },
            },
          ],
        },
      ]);
    });

    it('does not keep the variable from being left out or given', async () => {
      for (const variables of [{}, { v: accepted }]) {
        const routed = await call('POST', `/nulls/${path}`, json(variables));
        expect([routed.status, routed.body.errors]).toEqual([200, undefined]);
      }
    });

    it('is not in the schema of the variables', async () => {
      const admin = await instance().createClient({ scopes: ['admin'] });
      await instance().refresh();
      const at = `/api/admin/rest-endpoints/${id}`;
      const document = (await send(instance().url, 'GET', `${at}/openapi.json`, { headers: admin })).body;
      const operation = document.paths[`/nulls/${path}`].post;
      const { schema } = operation.requestBody.content['application/json'];
      expect(schema.required).toBeUndefined();
      expect(JSON.stringify(schema.properties.v)).not.toContain('"null"');
      const operations = (await send(instance().url, 'GET', `${at}/operations`, { headers: admin })).body;
      const own = operations.items.find(({ mapping }: { mapping: string }) => mapping === place);
      expect(JSON.stringify(own.variables.properties.v)).not.toContain('"null"');
      expect(own.typescript).toMatch(/ {2}v\?: [^|]+;/);
    });
  });
}
