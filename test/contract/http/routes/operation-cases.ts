/** Cases of every way to send variables to a mapped operation: the data must equal that of the GraphQL endpoint. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import { fillWithNews, type NewsIds } from './news.ts';
import { type SampleOperation, sampleMutations, sampleQueries } from './operations.ts';
import { type RouteCall, type RoutesContext, send } from './routes-context.ts';

/** The ways to send variables, with the request of each. */
const ways: readonly [
  name: string,
  method: 'read' | 'POST' | 'PUT',
  toRequest: (name: string, variables: JsonObject) => { path: string; sent?: RouteCall },
][] = [
  ['the slash syntax', 'read', (name, given) => ({ path: `/news/${name}?${toSlashes(given)}` })],
  ['a form', 'POST', (name, given) => ({ path: `/news/${name}`, sent: { form: toSlashes(given) } })],
  ['JSON literals', 'read', (name, given) => ({ path: `/literal-news/${name}?${toLiterals(given)}` })],
  [
    'a form of JSON literals',
    'PUT',
    (name, given) => ({ path: `/literal-news/${name}`, sent: { form: toLiterals(given) } }),
  ],
  ['a JSON body', 'POST', (name, given) => ({ path: `/news/${name}`, sent: { json: given } })],
  [
    'a JSON body, with slash syntax disabled',
    'PUT',
    (name, given) => ({ path: `/literal-news/${name}`, sent: { json: given } }),
  ],
];

/** Runs the cases. */
export function describeOperations({ call, publish, instance }: RoutesContext): void {
  let news: NewsIds;

  beforeAll(async () => {
    news = await fillWithNews(instance().services.content);
    const mapped = (operations: Readonly<Record<string, SampleOperation>>, methods: readonly string[]) =>
      Object.entries(operations).map(([name, { query }]) => ({ name, path: `/${name}`, query, methods }));
    const mappings = [
      ...mapped(sampleQueries, ['GET', 'POST', 'PUT']),
      ...mapped(sampleMutations, ['POST', 'PUT', 'DELETE']),
    ];
    await publish({ name: 'News', mappings });
    await publish({ name: 'Literal news', disableParameterSlashSyntax: true, mappings });
  });

  let tags = 0;
  const newTag = () => `n${tags++}`;

  async function askGraphql({ query, variables }: SampleOperation) {
    const json = { query, variables: variables(news, newTag()) };
    return withChangeIds((await send(instance().url, 'POST', '/graphql/open', { json })).body);
  }

  const samples = [
    ...Object.entries(sampleQueries).map(([name, operation]) => ({ name, operation, reading: 'GET' })),
    ...Object.entries(sampleMutations).map(([name, operation]) => ({ name, operation, reading: 'DELETE' })),
  ];

  describe.each(samples)('the operation $name', ({ name, operation, reading }) => {
    it.each(ways)('answers like its GraphQL endpoint, by %s', async (_name, method, toRequest) => {
      const expected = await askGraphql(operation);
      const { path, sent } = toRequest(name, operation.variables(news, newTag()));
      const { status, text, body } = await call(method === 'read' ? reading : method, path, sent);
      expect(withChangeIds(body)).toEqual(expected);
      expect([status, body.errors]).toEqual([200, undefined]);
      expect(text).toMatch(operation.holds);
    });
  });
}

/** Replaces the IDs of changes, of which each write has its own, by a mark. */
function withChangeIds({ extensions, ...body }: JsonObject): JsonObject {
  const { changes, ...others } = Object(extensions);
  if (extensions === undefined) return body;
  return { ...body, extensions: { ...others, changes: changes.map((id: unknown) => typeof id) } };
}

/** Formats variables in slash syntax: texts in a list are appended, other items have indexes. */
function toSlashes(variables: JsonObject): string {
  const pairsOf = (name: string, value: unknown): [string, string][] => {
    if (Array.isArray(value)) {
      const isPlain = value.every((item) => typeof item !== 'object');
      return value.flatMap((item, index) => pairsOf(`${name}[${isPlain ? '' : index}]`, item));
    }
    if (typeof value !== 'object' || value === null) return [[name, String(value)]];
    return Object.entries(value).flatMap(([member, inner]) => pairsOf(`${name}/${member}`, inner));
  };
  return new URLSearchParams(Object.entries(variables).flatMap((entry) => pairsOf(...entry))).toString();
}

/** Formats variables as JSON literals. */
function toLiterals(variables: JsonObject): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${encodeURIComponent(JSON.stringify(value))}`)
    .join('&');
}
