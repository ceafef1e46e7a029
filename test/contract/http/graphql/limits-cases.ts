/** Cases of the limits of requests to GraphQL endpoints. */
import { describe, expect, it } from 'vitest';
import { asGraphql, asJson, type GraphqlContext } from './graphql-context.ts';

/** Enough for a refusal before execution, too little for an execution; also on slow machines. */

/** Runs the cases. */
export function describeLimits({ ask, send }: GraphqlContext): void {
  const repeat = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => make(index)).join(' ');
  const nested = (open: string, close: string, count: number) => open.repeat(count) + close.repeat(count);

  describe('a document above the limit of', () => {
    // The cost of a list of references counts as ten assets.
    const costly = (limit: string) => `articleList(limit: ${limit}) { items { ...Story } }`;
    const story = `fragment Story on Article { related { ... on Article { related { ...Last } } } }
      fragment Last on Article { related { slug } }`;
    const documents: [limit: string, query: string, max: number, variables?: object][] = [
      ['characters', `{ __typename } # ${'x'.repeat(500_000)}`, 500_000],
      ['tokens', `{ textList(values: [${'1 '.repeat(10_000)}]) { count } }`, 10_000],
      ['nesting', `{ textList(values: ${nested('[', ']', 100)}) { count } }`, 100],
      ['depth', `{ section(_id: "x") ${nested('{ parent ', '}', 15).replace('}', '{ name } }')} }`, 15],
      ['aliases', `{ ${repeat(51, (n) => `a${n}: __typename`)} }`, 50],
      ['cost', `{ ${costly('100')} } ${story}`, 100_000],
      ['cost', `query ($limit: Int) { ${costly('$limit')} } ${story}`, 100_000, { limit: 100 }],
    ];

    it.each(documents)(
      '%s is refused in both media types, naming the limit',
      async (limit, query, max, variables = {}) => {
        for (const accept of [asJson, asGraphql]) {
          const { status, body } = await ask('open', { query, variables: { ...variables } }, accept);
          expect(status).toBe(400);
          expect(body).toEqual({
            errors: [
              expect.objectContaining({
                message: expect.stringContaining(limit),
                extensions: { code: 'limit_exceeded', limit, max, actual: expect.any(Number) },
              }),
            ],
          });
          expect(body.errors[0].extensions.actual).toBeGreaterThan(max);
        }
      },
    );
  });

  describe('a document that multiplies its work', () => {
    const fragments = (count: number, on: string, body: (next: string) => string) =>
      repeat(count, (n) => `fragment F${n} on ${on} { ${body(`...F${n + 1}`)} }`);
    const overlapping = (n: number) =>
      `fragment A${n} on TextList { count items { name ...B${n} } } fragment B${n} on Text { _id }`;
    const tooComplex = 'The document is too complex to be validated';
    const bombs: [name: string, reason: string, query: string][] = [
      [
        'by fragments with aliases',
        "The query's aliases",
        `{ ...F0 } ${fragments(60, 'Query', (next) => `a: __typename ${next} ${next}`)}
        fragment F60 on Query { __typename }`,
      ],
      [
        'by fragments inside lists',
        "The query's cost",
        `{ articleList { items { ...F0 } } } ${fragments(12, 'Article', (next) => `related { ${next} }`)}
        fragment F12 on Article { slug }`,
      ],
      [
        'by lists under many aliases',
        "The query's cost",
        `{ ${repeat(50, (n) => `a${n}: articleList(limit: 100) { items { related { cms_site_owner { name } } } }`)} }`,
      ],
      ['by one field a thousand times', tooComplex, `{ ${'textList { count } '.repeat(2_400)} }`],
      [
        'by fragments that overlap',
        tooComplex,
        `{ textList { ${repeat(300, (n) => `...A${n}`)} } } ${repeat(300, overlapping)}`,
      ],
      [
        'by fragments in a cycle',
        'Cannot spread fragment "A" within itself via "B"',
        '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A __typename }',
      ],
      [
        'by introspection',
        'Maximum introspection depth exceeded',
        `{ __schema { types { ${'fields { type { '.repeat(12)} name ${'} } '.repeat(12)} } } }`,
      ],
      ['by directives', 'The directive "@skip"', `{ __typename ${'@skip(if: false) '.repeat(1_400)} }`],
    ];

    it.each(bombs)('%s is refused quickly', async (_name, reason, query) => {
      const { body } = await ask('open', query);
      expect(body).not.toHaveProperty('data');
      expect(body.errors[0].message).toContain(reason);
    });

    it('by fragments without aliases runs as one query and is answered quickly', async () => {
      const doubling = fragments(60, 'Query', (next) => `${next} ${next}`);
      const query = `{ ...F0 } ${doubling} fragment F60 on Query { __typename }`;
      expect((await ask('open', query)).body).toEqual({ data: { __typename: 'Query' } });
    });
  });

  describe('a body', () => {
    it('above the maximum size is refused', async () => {
      const query = '{ a: __typename }';
      const pad = (bytes: number) => `{"query":"${query}","pad":"${'x'.repeat(bytes - query.length - 21)}"}`;
      const headers = { 'Content-Type': 'application/json' };
      const at = pad(4_194_304);
      expect(Buffer.byteLength(at)).toBe(4_194_304);
      expect(await send('POST', 'open', { raw: at, headers })).toMatchObject({ status: 200 });
      const { status, body } = await send('POST', 'open', { raw: pad(4_194_305), headers });
      expect([status, body.errors[0].extensions]).toEqual([
        413,
        { code: 'body_too_large', http: { status: 413 } },
      ]);
    });

    it('with variables nested too deeply is refused, as are such variables by GET', async () => {
      const query = 'query ($values: [JSON!]) { textList(where: "name = ?", values: $values) { count } }';
      const deep = (depth: number) => `{"values":${nested('[', ']', depth)}}`;
      const byPost = async (depth: number) => {
        const raw = `{"query":${JSON.stringify(query)},"variables":${deep(depth)}}`;
        return send('POST', 'open', { raw, headers: { 'Content-Type': 'application/json' } });
      };
      for (const depth of [63, 100_000]) {
        const { status, body } = await byPost(depth);
        expect([status, body.errors[0].extensions.code]).toEqual([400, 'invalid_body']);
      }
      expect((await byPost(62)).status).toBe(200);
      const byGet = await send('GET', 'open', { parameters: { query, variables: deep(5_000) } });
      expect([byGet.status, byGet.body.errors[0].extensions.path]).toEqual([400, 'variables']);
    });
  });
}
