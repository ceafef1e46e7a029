/** Cases of GraphQL answers: their media type, and the status for it. */
import { describe, expect, it } from 'vitest';
import { type Asked, asGraphql, asJson, type GraphqlContext, type Sent } from './graphql-context.ts';

const json = 'application/json; charset=utf-8';
const graphql = 'application/graphql-response+json; charset=utf-8';
const query = '{ a: __typename }';

/** Runs the cases. */
export function describeResponses({ send, ask, dataOf }: GraphqlContext): void {
  describe('the media type of a response', () => {
    it.each([
      [undefined, json],
      ['*/*', json],
      ['application/*', json],
      ['application/json', json],
      ['APPLICATION/JSON', json],
      ['application/graphql-response+json', graphql],
      ['application/graphql-response+json; charset=utf-8, application/json; charset=utf-8', graphql],
      ['application/graphql-response+json; charset=UTF-8', graphql],
      ['application/graphql-response+json, application/json;q=0.9', graphql],
      ['application/json, application/graphql-response+json', json],
      ['application/json;q=0.5, application/graphql-response+json', graphql],
      ['application/graphql-response+json;q=0.1, application/json;q=0.2', json],
      ['application/graphql-response+json, */*;q=0.1', graphql],
      ['application/json;q=0, */*', graphql],
      ['text/html, application/json;q=0.1', json],
      ['multipart/mixed;boundary="graphql";subscriptionSpec=1.0, application/json', json],
    ])('is, for Accept: %s, %s', async (accept, type) => {
      const headers: Record<string, string> = accept === undefined ? {} : { Accept: accept };
      const byPost = await ask('open', query, headers);
      const byGet = await send('GET', 'open', { parameters: { query }, headers });
      for (const { status, headers: received, body } of [byPost, byGet]) {
        expect([status, received['content-type'], body.data]).toEqual([200, type, { a: 'Query' }]);
      }
    });

    it.each(['text/html', 'application/xml;q=0.9', 'application/json;q=0', '*/*;q=0', 'multipart/mixed'])(
      'is refused for Accept: %s, and the operation does not run',
      async (accept) => {
        const document = 'mutation { createText(input: {name: "not accepted"}) { _id } }';
        const { status, headers, body } = await ask('open', document, { Accept: accept });
        expect([status, headers['content-type'], body.errors[0].extensions.code]).toEqual([
          406,
          json,
          'not_acceptable',
        ]);
        const { textList } = await dataOf('open', '{ textList(where: "name = \'not accepted\'") { count } }');
        expect(textList.count).toBe(0);
      },
    );

    it('is also negotiated for requests that are refused before they run', async () => {
      const type = { 'Content-Type': 'application/json' };
      const refusals: [status: number, method: string, path: string, sent: Sent][] = [
        [400, 'POST', 'open', { raw: '{', headers: type }],
        [400, 'GET', 'open', {}],
        [401, 'POST', 'management', { body: { query } }],
        [404, 'POST', 'nowhere', { body: { query } }],
        [405, 'PUT', 'open', { body: { query } }],
        [413, 'POST', 'open', { body: { query: ' '.repeat(4_194_304) } }],
        [415, 'POST', 'open', { raw: 'x', headers: { 'Content-Type': 'text/plain' } }],
      ];
      for (const [expected, method, path, sent] of refusals) {
        for (const [accept, mediaType] of [
          [asJson, json],
          [asGraphql, graphql],
        ] as const) {
          const { status, headers, body } = await send(method, path, {
            ...sent,
            headers: { ...sent.headers, ...accept },
          });
          expect([status, headers['content-type']]).toEqual([expected, mediaType]);
          expect(Object.keys(body)).toEqual(['errors']);
          expect(body.errors).toEqual([
            {
              message: expect.any(String),
              extensions: expect.objectContaining({ code: expect.any(String) }),
            },
          ]);
        }
      }
    });
  });

  describe('the status of a response', () => {
    const cases: [
      name: string,
      asked: Asked,
      statuses: [asJson: number, asGraphql: number],
      data: unknown,
    ][] = [
      ['data', { query }, [200, 200], { a: 'Query' }],
      ['null as data because of an error', { query: '{ textList(where: "?") { count } }' }, [200, 200], null],
      ['a document that cannot be parsed', { query: '{' }, [200, 400], undefined],
      ['an empty document', { query: '' }, [200, 400], undefined],
      ['a document that is not valid', { query: '{ b }' }, [200, 400], undefined],
      [
        'a variable that is missing',
        { query: 'query ($a: ID!) { text(_id: $a) { _id } }' },
        [200, 400],
        undefined,
      ],
      [
        'a variable of another type',
        { query: 'query ($a: Int) { textList(limit: $a) { count } }', variables: { a: 'x' } },
        [200, 400],
        undefined,
      ],
    ];

    it.each(cases)('is the documented one in both media types, with %s', async (_, asked, statuses, data) => {
      for (const [index, accept] of [asJson, asGraphql].entries()) {
        const { status, body } = await ask('open', asked, accept);
        expect(status).toBe(statuses[index]);
        expect(Object.hasOwn(body, 'data')).toBe(data !== undefined);
        expect(body.data).toEqual(data);
        expect(Object.hasOwn(body, 'errors')).toBe(data === undefined || data === null);
      }
    });
  });

  describe('a response', () => {
    it('is not cached, and lists the request headers it varies by', async () => {
      const replies = [await ask('open', query), await ask('open', '{'), await ask('nowhere', query)];
      for (const { headers } of replies) {
        expect(headers['cache-control']).toBe('no-store');
        expect(headers.vary?.split(', ')).toEqual([
          'Accept',
          'Authorization',
          'X-Client-Id',
          'X-Client-Secret',
          'X-API-Key',
        ]);
      }
    });

    it('has the position of a problem in the document', async () => {
      const { body } = await ask('open', '{\n  textList { count }\n  nothing\n}');
      expect(body.errors).toMatchObject([{ locations: [{ line: 3, column: 3 }] }]);
    });
  });
}
