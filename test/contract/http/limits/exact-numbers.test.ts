/** Numbers that would lose digits, become 0 or become infinite: every API that accepts content refuses them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { readLine } from '../../../../src/transfer/import/read-line.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { createRoutesContext, open, type RoutesContext, send } from '../routes/routes-context.ts';

let instance: TestInstance;
let routes: RoutesContext;

beforeAll(async () => {
  instance = await startInstance(sqliteLocation());
  routes = createRoutesContext(() => instance);
  await instance.services.graphqlEndpoints.create(open);
  await instance.refresh();
  await routes.publish({
    name: 'Numbers',
    mappings: [
      {
        name: 'Make',
        query:
          'mutation Make($data: JSON, $score: Float) { createArticle(input: {slug: "made", headline: "Made", status: DRAFT, importData: $data, score: $score}) { importData } }',
      },
    ],
  });
  await routes.publish({
    name: 'Literals',
    disableParameterSlashSyntax: true,
    mappings: [
      {
        name: 'Any',
        query: 'query Any($value: JSON!) { articleList(where: "headline = ?", values: [$value]) { count } }',
      },
    ],
  });
});

const reason = 'is a number that cannot be stored exactly; send it as a string';
const article = (number: string) =>
  `{"_type":"com.example.news.Article","slug":"a","headline":"A","status":"DRAFT","importData":{"ids":[1,${number}]}}`;

async function post(path: string, raw: string) {
  const headers = { ...instance.headers, 'Content-Type': 'application/json' };
  return send(instance.url, 'POST', path, { raw, headers });
}

describe.each(['12345678901234567890', '-9007199254740993', '1e400', '1e-400'])('the number %s', (number) => {
  const cma = '/api/rest/cma/contents';

  it('is refused in a CMA body, with its path', async () => {
    const { status, body } = await post(cma, article(number));
    expect([status, body.error]).toEqual([
      400,
      {
        code: 'invalid_body',
        message: `importData.ids[1] ${reason}`,
        path: 'importData.ids[1]',
        problems: [{ path: 'importData.ids[1]', message: reason }],
      },
    ]);
  });

  it('is refused in a batch', async () => {
    const { status, body } = await post(
      `${cma}/batch`,
      `{"operations":[{"action":"create","asset":${article(number)}}]}`,
    );
    expect([status, body.error.path]).toEqual([400, 'operations[0].asset.importData.ids[1]']);
  });

  it('is refused in GraphQL variables, by POST and by GET', async () => {
    const query = 'query Q($v: JSON!) { articleList(where: "headline = ?", values: [$v]) { count } }';
    const posted = await post(
      '/graphql/open',
      `{"query":${JSON.stringify(query)},"variables":{"v":${number}}}`,
    );
    expect([posted.status, posted.body.errors[0].extensions.path]).toEqual([400, 'variables.v']);
    const search = new URLSearchParams({ query, variables: `{"v":${number}}` });
    const got = await routes.call('GET', `/graphql/open?${search}`);
    expect([got.status, got.body.errors[0].message]).toEqual([
      400,
      `"variables" is wrong at v, which ${reason}`,
    ]);
  });

  it('is refused in a GraphQL document, with its line and column', async () => {
    const query = `mutation {\n  createArticle(input: {slug: "l", headline: "L", status: DRAFT, importData: ${number}}) { _id }\n}`;
    const { body } = await post('/graphql/open', JSON.stringify({ query }));
    expect(body).toEqual({
      errors: [
        {
          message: `${number} ${reason}`,
          locations: [{ line: 2, column: 78 }],
          extensions: { code: 'invalid_query' },
        },
      ],
    });
  });

  it('is refused by a mapped route, in a JSON body, a JSON literal and a form', async () => {
    const inBody = await post('/numbers/make', `{"data":{"n":${number}}}`);
    expect([inBody.status, inBody.body.errors[0].extensions.path]).toEqual([400, 'data.n']);
    const literal = await routes.call('GET', `/literals/any?value=[${number}]`);
    expect([literal.status, literal.body.errors[0].message]).toEqual([
      400,
      `"value" is wrong at [0], which ${reason}`,
    ]);
    const inForm = await routes.call('POST', '/numbers/make', { form: `score=${number}` });
    expect([inForm.status, inForm.body.errors[0].message]).toEqual([400, '"score" must be a number']);
  });

  it('is refused in a line of an import', () => {
    const line = readLine({ number: 1, bytes: Buffer.from(article(number)), start: 0, end: 1 }, 1_000);
    expect(line).toMatchObject({
      kind: 'broken',
      problems: [{ path: 'importData.ids[1]', message: reason }],
    });
  });
});

it('no refused request has written an asset', async () => {
  const { body } = await routes.call('POST', '/graphql/open', {
    json: { query: '{ articleList { count } }' },
  });
  expect(body).toEqual({ data: { articleList: { count: 0 } } });
});
