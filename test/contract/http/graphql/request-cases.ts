/** Cases of the form of a GraphQL request: methods, media types and parameters. */
import { describe, expect, it } from 'vitest';
import { asGraphql, asJson, type GraphqlContext, type Sent } from './graphql-context.ts';

const creation = 'mutation { createText(input: {name: "by a wrong request"}) { _id } }';
const created = '{ textList(where: "name = \'by a wrong request\'") { count } }';

/** Runs the cases. */
export function describeRequests({ send, ask, dataOf }: GraphqlContext): void {
  describe('a request by GET', () => {
    const document =
      'query One($n: Int) { textList(limit: $n) { __typename } } query Two { site: __typename }';
    const get = (parameters: Record<string, string>, headers = {}) =>
      send('GET', 'open', { parameters, headers });

    it.each([
      ['an operation and its variables', { operationName: 'One', variables: '{"n":1}' }, 'textList'],
      ['another operation', { operationName: 'Two' }, 'site'],
      ['null for variables', { operationName: 'One', variables: 'null' }, 'textList'],
      ['extensions, which are ignored', { operationName: 'Two', extensions: '{"a":{"b":1}}' }, 'site'],
      ['unknown parameters', { operationName: 'Two', fragment: 'x' }, 'site'],
    ])('may have %s', async (_, parameters, field) => {
      const { status, body } = await get({ query: document, ...parameters });
      expect([status, Object.keys(body.data)]).toEqual([200, [field]]);
    });

    it('treats an empty operation name as absent, and the text "null" as a name', async () => {
      const answerTo = async (query: string, operationName: string) =>
        (await get({ query, operationName })).body.data;
      expect(await answerTo('{ a: __typename }', '')).toEqual({ a: 'Query' });
      expect(await answerTo('query null { a: __typename } query b { b: __typename }', 'null')).toEqual({
        a: 'Query',
      });
    });

    it.each([
      ['no query', {}, 'query'],
      ['variables that are no JSON', { query: '{a}', variables: '{n:1}' }, 'variables'],
      ['variables that are no object', { query: '{a}', variables: '[1]' }, 'variables'],
      ['empty variables', { query: '{a}', variables: '' }, 'variables'],
      ['a variable twice', { query: '{a}', variables: '{"n":1,"n":2}' }, 'variables'],
      ['extensions that are no object', { query: '{a}', extensions: '1' }, 'extensions'],
    ])('is refused with %s', async (_, parameters, path) => {
      for (const headers of [asJson, asGraphql]) {
        const { status, body } = await get(parameters, headers);
        expect([status, body.errors[0].extensions]).toEqual([400, { code: 'invalid_parameter', path }]);
      }
    });

    it.each(['query=%7Ba%7D&query=%7Ba%7D', 'query=%7Ba%7D&operationName=a&operationName=b'])(
      'is refused with a parameter twice: %s',
      async (query) => {
        const { status, body } = await send('GET', `open?${query}`);
        expect([status, body.errors[0].extensions.code]).toEqual([400, 'invalid_parameter']);
      },
    );

    it.each(['GET', 'HEAD'])('by %s cannot run a mutation', async (method) => {
      for (const headers of [asJson, asGraphql]) {
        const { status, headers: received } = await send(method, 'open', {
          parameters: { query: creation },
          headers,
        });
        expect([status, received.allow]).toEqual([405, 'POST']);
      }
      const both = `query Read { a: __typename } ${creation.replace('mutation', 'mutation Write')}`;
      expect((await get({ query: both, operationName: 'Write' })).status).toBe(405);
      expect((await get({ query: both, operationName: 'Read' })).body).toEqual({ data: { a: 'Query' } });
      expect(await dataOf('open', created)).toEqual({ textList: { count: 0 } });
    });

    it('is answered to HEAD as to GET, without the body', async () => {
      const parameters = { query: '{ a: __typename }' };
      const byGet = await get(parameters);
      const byHead = await send('HEAD', 'open', { parameters });
      expect([byHead.status, byHead.body]).toEqual([200, undefined]);
      for (const name of ['content-type', 'content-length', 'cache-control', 'vary']) {
        expect(byHead.headers[name]).toBe(byGet.headers[name]);
      }
    });
  });

  describe('a request by POST', () => {
    const json = { 'Content-Type': 'application/json' };
    const query = '{ a: __typename }';
    const data = { a: 'Query' };

    it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
      'accepts the media type %s',
      async (type) => {
        const sent = { raw: JSON.stringify({ query }), headers: { 'Content-Type': type } };
        expect(await send('POST', 'open', sent)).toMatchObject({ status: 200, body: { data } });
      },
    );

    it.each([
      undefined,
      'text/plain',
      'application/graphql',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=iso-8859-1',
      'application/json; charset=utf-8; charset=iso-8859-1',
      'application/jsonp',
    ])('is refused with the media type %s', async (type) => {
      const raw = Buffer.from(JSON.stringify({ query: creation }));
      const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
      const { status, body } = await send('POST', 'open', { raw, headers });
      expect([status, body.errors[0].extensions.code]).toEqual([415, 'unsupported_media_type']);
      expect(await dataOf('open', created)).toEqual({ textList: { count: 0 } });
    });

    it.each<[string, Sent, string]>([
      ['that is empty', { raw: '' }, 'invalid_json'],
      ['that is incomplete JSON', { raw: '{"query":' }, 'invalid_json'],
      ['that is not UTF-8', { raw: Buffer.from('{"query":"{a(b:\\"é\\")}"}', 'latin1') }, 'invalid_json'],
      ['that has a name twice', { raw: '{"query":"{a}","query":"{b}"}' }, 'invalid_json'],
      ['that is a list, as a batch is', { raw: '[{"query":"{a}"}]' }, 'invalid_body'],
      ['that is null', { raw: 'null' }, 'invalid_body'],
      ['that is a text', { raw: '"{a}"' }, 'invalid_body'],
      ['without a query', { raw: '{}' }, 'invalid_parameter'],
      ['with null for a query', { raw: '{"query":null}' }, 'invalid_parameter'],
    ])('is refused with a body %s', async (_, sent, code) => {
      for (const accept of [asJson, asGraphql]) {
        const { status, body } = await send('POST', 'open', { ...sent, headers: { ...json, ...accept } });
        expect([status, body.errors[0].extensions.code]).toEqual([400, code]);
      }
    });

    it('ignores the query string', async () => {
      const parameters = { query: '{ b: __typename }', variables: '[', operationName: 'X' };
      const { body } = await send('POST', 'open', { parameters, body: { query } });
      expect(body).toEqual({ data });
    });

    it('may have unknown members, and null for all but the query', async () => {
      const known = { query, operationName: null, variables: null, extensions: null };
      expect((await send('POST', 'open', { body: known })).body).toEqual({ data });
      const more = { query, id: 'x', extensions: { tracing: { version: 1 } }, documentId: null, doc: [1] };
      expect((await send('POST', 'open', { body: more })).body).toEqual({ data });
      expect((await ask('open', { query, operationName: '' })).body).toEqual({ data });
    });

    it('accepts and returns any text', async () => {
      const name = 'Zwölf Boxkämpfer 🏃 \u2028 \\ " </script>';
      const asked = {
        query: 'mutation ($name: String!) { createText(input: {name: $name}) { name } }',
        variables: { name },
      };
      expect((await ask('open', asked)).body.data).toEqual({ createText: { name } });
    });
  });

  describe('a document with several operations', () => {
    const query = 'query One { a: __typename } query Two { b: __typename }';

    it.each([
      ['One', { a: 'Query' }],
      ['Two', { b: 'Query' }],
    ])('runs the named operation, %s', async (operationName, data) => {
      expect((await ask('open', { query, operationName })).body).toEqual({ data });
    });

    it.each([
      ['no operation is named', query, undefined],
      ['the name is empty', query, ''],
      ['the name is unknown', query, 'Three'],
      ['the name differs in case', query, 'one'],
      ['it has only a fragment', 'fragment F on Query { __typename }', undefined],
    ])('is refused when %s', async (_, document, operationName) => {
      const asked = { query: document, ...(operationName === undefined ? {} : { operationName }) };
      for (const [accept, status] of [
        [asJson, 200],
        [asGraphql, 400],
      ] as const) {
        const reply = await ask('open', asked, accept);
        expect([reply.status, reply.body.errors[0].extensions.code]).toEqual([status, 'invalid_query']);
        expect(reply.body).not.toHaveProperty('data');
      }
    });
  });

  describe('an unsupported method', () => {
    it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
      '%s is refused with the allowed methods',
      async (method) => {
        const { status, headers, body } = await send(method, 'open', { body: { query: creation } });
        expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST']);
        expect(body.errors[0].extensions).toEqual({ code: 'method_not_allowed', http: { status: 405 } });
        expect(await dataOf('open', created)).toEqual({ textList: { count: 0 } });
      },
    );
  });

  describe('a subscription', () => {
    it.each([
      ['GET', 200, asJson],
      ['GET', 400, asGraphql],
      ['POST', 200, asJson],
      ['POST', 400, asGraphql],
    ])('by %s is refused with %i', async (method, status, headers) => {
      const query = 'subscription { textList { count } }';
      const asked = method === 'GET' ? { parameters: { query } } : { body: { query } };
      const reply = await send(method, 'open', { ...asked, headers });
      expect(reply).toMatchObject({
        status,
        body: { errors: [{ message: 'Subscriptions are not supported' }] },
      });
      expect(reply.body).not.toHaveProperty('data');
    });
  });
}
