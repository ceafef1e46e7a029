/** Cases of queries: pages, every operator, and refusals. */
import { describe, expect, it } from 'vitest';
import { article, author, type CmaContext, text } from './cma-content.ts';

/** Runs the cases. */
export function describeQuerying({ call, create, newArticle, newSlug }: CmaContext): void {
  describe('querying', () => {
    const count = async (where: string, values: readonly string[] = []) => {
      const { status, body } = await call('GET', { query: { from: article, where, values, limit: 0 } });
      return status === 200 ? body.result.count : body.error;
    };

    it('pages through all assets of a type in one stable order', async () => {
      const created = [];
      for (let n = 0; n < 25; n++)
        created.push(
          await create({
            _type: 'com.example.news.Image',
            url: 'https://example.org/',
            alternativeText: `${n}`,
          }),
        );
      const ids: string[] = [];
      for (let offset = 0; offset < 30; offset += 10) {
        const { body } = await call('GET', { query: { from: 'com.example.news.Image', offset } });
        expect(body.result.count).toBe(25);
        ids.push(...body.result.items.map((item: { _id: string }) => item._id));
      }
      expect(ids).toEqual(created.map(({ _id }) => _id).toSorted());
    });

    it('omits only the count with count=false', async () => {
      const query = { from: text, limit: 2 };
      const { body: counted } = await call('GET', { query });
      const { body } = await call('GET', { query: { ...query, count: 'false' } });
      expect(body.result).toEqual({ items: counted.result.items });
      expect((await call('GET', { query: { ...query, count: 'true' } })).body).toEqual(counted);
      expect((await call('GET', { query: { from: text, limit: 0, count: 'false' } })).body.result).toEqual({
        items: [],
      });
    });

    it.each(['', 'no', '0', 'FALSE', 'null', ['false', 'false']])(
      'answers 400 to count=%s',
      async (count) => {
        const { status, body } = await call('GET', { query: { from: text, count } });
        expect([status, body.error.code, body.error.path]).toEqual([400, 'invalid_parameter', 'count']);
      },
    );

    it('pages by the last _id of the previous page, also with an interface and with another predicate', async () => {
      const tag = newSlug();
      const { _id: start } = await create(newArticle());
      const made: string[] = [];
      for (let n = 0; n < 7; n++) made.push((await create(newArticle({ tags: [tag] })))._id);
      for (const [from, where, values] of [
        [article, '_id > ?', []],
        [article, '(tags = ?) and _id > ?', [tag]],
        ['com.example.news.Page', '_id > ?', []],
      ] as const) {
        const found: string[] = [];
        for (let after = start; ; after = found.at(-1) ?? '') {
          const query = { from, where, values: [...values, after], limit: 3, count: 'false' };
          const { items } = (await call('GET', { query })).body.result;
          found.push(...items.map(({ _id }: { _id: string }) => _id));
          if (items.length < 3) break;
        }
        expect(found).toEqual(made);
      }
    });

    it('finds by every operator, with values inside the predicate or as parameters', async () => {
      const { _id: who } = await create({ _type: author, slug: newSlug(), name: 'Grace' });
      const headline = 'Operators of the day';
      const asset = await create(
        newArticle({
          headline,
          body: '<p>Four <b>score</b> and seven</p>',
          author: { _ref: who, _type: author },
          tags: ['red', 'Green'],
          readingMinutes: 5,
          score: 0.25,
          featured: true,
          place: { name: 'Bern', country: 'CH' },
          eventDate: 1_000,
        }),
      );
      const hits = [
        `headline = '${headline}'`,
        `headline = "${headline}" and status = DRAFT`,
        `headline =[c] 'OPERATORS OF THE DAY'`,
        `tags = red and tags != blue and tags = 'Green'`,
        `tags in [blue, Green]`,
        `tags notIn [blue, yellow] and headline startsWith 'Operators'`,
        `headline startsWith 'Oper' && !(readingMinutes < 5) && readingMinutes <= 5`,
        `headline contains[c] 'OF THE'`,
        `readingMinutes > 4.5 and readingMinutes >= 5 and score >= 0.25 and score != 0.5 and headline startsWith Oper`,
        `body matches 'SEVEN eleven' and body matchesAll 'four seven' and not body matches 'b'`,
        `place.country = CH and place.name != Basel`,
        `author/name = 'Grace' or false`,
        `author = ${who}`,
        `featured = true and eventDate = 1000 and lead = missing and author != null`,
        `_id = ${asset._id} and _type = ${article}`,
      ];
      for (const where of hits) expect([where, await count(where)]).toEqual([where, 1]);
      expect(
        await count('headline = ? and readingMinutes = ? and featured = ?', [headline, '5', 'true']),
      ).toBe(1);
      expect(await count('score < ?1 and headline = ?0', [headline, '0.3'])).toBe(1);
      expect(await count(`headline = '${headline}' and author/name != 'Grace'`)).toBe(0);
    });

    it('finds the assets of all types that implement an interface', async () => {
      const { body } = await call('GET', {
        query: { from: 'com.example.news.Page', where: "slug = 'only-one' or author/name = 'x'" },
      });
      expect(body.error.code).toBe('unknown_field');
      const pages = await call('GET', { query: { from: 'com.example.news.Page', limit: 1000 } });
      const types = new Set(pages.body.result.items.map((item: { _type: string }) => item._type));
      expect([...types].toSorted()).toEqual([article, author]);
    });

    const bad: [
      name: string,
      query: Record<string, string | readonly string[]>,
      code: string,
      path: string,
    ][] = [
      ['no from', {}, 'invalid_parameter', 'from'],
      ['an empty from', { from: '' }, 'invalid_parameter', 'from'],
      ['an unknown from', { from: 'x.Y' }, 'unknown_type', 'from'],
      [
        'from named like a property of every JavaScript object',
        { from: '__proto__' },
        'unknown_type',
        'from',
      ],
      ['from twice', { from: [text, text] }, 'invalid_parameter', 'from'],
      ['where twice', { from: text, where: ['true', 'true'] }, 'invalid_parameter', 'where'],
      ['limit twice', { from: text, limit: ['1', '2'] }, 'invalid_parameter', 'limit'],
      ['limit above 1000', { from: text, limit: '1001' }, 'invalid_parameter', 'limit'],
      ['a negative limit', { from: text, limit: '-1' }, 'invalid_parameter', 'limit'],
      ['a limit that is not a number', { from: text, limit: 'ten' }, 'invalid_parameter', 'limit'],
      ['an empty limit', { from: text, limit: '' }, 'invalid_parameter', 'limit'],
      ['a limit in hexadecimal', { from: text, limit: '0x10' }, 'invalid_parameter', 'limit'],
      ['a fraction', { from: text, offset: '1.5' }, 'invalid_parameter', 'offset'],
      ['a negative offset', { from: text, offset: '-5' }, 'invalid_parameter', 'offset'],
      [
        'an offset above the maximum',
        { from: text, offset: '99999999999999999999' },
        'invalid_parameter',
        'offset',
      ],
      ['an unknown parameter', { from: text, were: 'true' }, 'invalid_parameter', 'were'],
      ['a parameter named __proto__', { from: text, ['__proto__']: 'x' }, 'invalid_parameter', '__proto__'],
      ['an empty predicate', { from: text, where: '' }, 'predicate_syntax', 'where'],
      ['a bad predicate', { from: text, where: 'name = ' }, 'predicate_syntax', 'where'],
      ['an unknown field', { from: text, where: "nmae = 'x'" }, 'unknown_field', 'nmae'],
      ['a field named __proto__', { from: text, where: "__proto__ = 'x'" }, 'unknown_field', '__proto__'],
      [
        'a field named constructor',
        { from: text, where: "constructor = 'x'" },
        'unknown_field',
        'constructor',
      ],
      ['a field named $where', { from: text, where: "$where = 'x'" }, 'predicate_syntax', 'where'],
      [
        'a value of another type',
        { from: article, where: 'readingMinutes = abc' },
        'predicate_type',
        'where',
      ],
      ['too few values', { from: text, where: 'name = ?' }, 'values_mismatch', 'values'],
      ['too many values', { from: text, where: 'name = ?', values: ['a', 'b'] }, 'values_mismatch', 'values'],
      ['values without a predicate', { from: text, values: ['a'] }, 'invalid_parameter', 'values'],
      [
        'a value that does not convert',
        { from: article, where: 'score < ?', values: ['a'] },
        'predicate_type',
        'where',
      ],
    ];
    it.each(bad)('refuses %s with 400', async (_name, query, code, path) => {
      const { status, body } = await call('GET', { query });
      expect([status, body.error.code, body.error.path]).toEqual([400, code, path]);
    });

    it('finds the same by a body as by parameters, and converts values that are texts', async () => {
      const tag = newSlug();
      for (let n = 1; n <= 3; n++) await create(newArticle({ tags: [tag], readingMinutes: n }));
      const where = 'tags = ? and readingMinutes in ?';
      const post = (members: object) =>
        call('POST', { path: '/query', body: { from: article, where, ...members } });
      const { body: all } = await post({ values: [tag, [1, '3', 5]] });
      expect(all.result).toMatchObject({ count: 2, items: [{ readingMinutes: 1 }, { readingMinutes: 3 }] });
      const parts = { offset: 1, limit: 1, count: false };
      const { body: page } = await post({ values: [tag, '3'], ...parts, offset: 0 });
      expect(page.result).toEqual({ items: [all.result.items[1]] });
      const query = { from: article, where: 'tags = ?', values: [tag], offset: 1, limit: 1, count: 'false' };
      const { body: same } = await call('GET', { query });
      expect((await post({ where: 'tags = ?', values: [tag], ...parts })).body).toEqual(same);
      const long = {
        where: Array.from({ length: 400 }, () => 'tags = ?').join(' or '),
        values: Array(400).fill(tag),
      };
      expect((await post(long)).body.result.count).toBe(3);
    });

    it.each([
      ['no from', {}, 'invalid_body', 'from'],
      ['an unknown member', { from: text, were: 'true' }, 'invalid_body', 'were'],
      ['a limit above 1000', { from: text, limit: 1001 }, 'invalid_body', 'limit'],
      ['a limit as text', { from: text, limit: '10' }, 'invalid_body', 'limit'],
      ['an offset above the maximum', { from: text, offset: 1e20 }, 'invalid_parameter', 'offset'],
      ['a count that is not a boolean', { from: text, count: 'false' }, 'invalid_body', 'count'],
      ['an unknown from', { from: 'x.Y' }, 'unknown_type', 'from'],
      ['a value of another type', { from: text, where: 'name = ?', values: [1] }, 'predicate_type', 'where'],
      [
        'a value that is an object',
        { from: text, where: 'name = ?', values: [{}] },
        'predicate_type',
        'where',
      ],
      ['too few values', { from: text, where: 'name = ?' }, 'values_mismatch', 'values'],
    ])('refuses a body with %s with 400', async (_name, body, code, path) => {
      const { status, body: refused } = await call('POST', { path: '/query', body });
      expect([status, refused.error.code, refused.error.path]).toEqual([400, code, path]);
    });

    it('refuses other methods, media types and credentials than those of a query in a body', async () => {
      expect((await call('POST', { path: '/query', body: { from: text }, client: null })).status).toBe(401);
      expect((await call('GET', { path: '/query', client: null })).status).toBe(401);
      expect((await call('GET', { path: '/query' })).headers.allow).toBe('POST');
      expect((await call('POST', { path: '/query', raw: 'from=x' })).status).toBe(415);
      const where = 'x'.repeat(5_000_000);
      expect((await call('POST', { path: '/query', body: { from: text, where } })).status).toBe(413);
    });

    it('reports the column of an error in a predicate', async () => {
      expect(await count("headline = 'x' and readingMinutes = 'y'")).toMatchObject({
        code: 'predicate_type',
        column: 37,
      });
      expect(await count("headline = 'x' or heading = 'y'")).toMatchObject({
        code: 'unknown_field',
        path: 'heading',
        column: 19,
      });
      expect(await count("headline = 'x' and (score > 1")).toMatchObject({
        code: 'predicate_syntax',
        column: 30,
      });
    });

    it('answers an offset far beyond the end with no items', async () => {
      const query = { from: text, offset: '9007199254740991' };
      expect((await call('GET', { query })).body.result.items).toEqual([]);
    });

    it.each(['?from=%E0%A4%A', '?%ff=1', '?from=com.colophon.cms.db.Text&where=%'])(
      'refuses %s, which is not UTF-8',
      async (path) => {
        expect((await call('GET', { path })).body.error.code).toBe('invalid_parameter');
      },
    );

    it('answers or refuses a huge predicate', async () => {
      const huge = [
        Array.from({ length: 10_000 }, (_, n) => `score = ${n}`).join(' or '),
        Array.from({ length: 1_000 }, (_, n) => `score = ${n}`).join(' or '),
        `${'('.repeat(50_000)}true${')'.repeat(50_000)}`,
        `${'not '.repeat(25_000)}true`,
        `headline = '${'x'.repeat(100_000)}'`,
        `headline contains '${'ä'.repeat(20_000)}'`,
        `score in [${Array.from({ length: 5_000 }, (_, n) => n).join(',')}]`,
        `tags[c] = '${'\\\\'.repeat(10_000)}'`,
      ];
      for (const where of huge) {
        const { status } = await call('GET', { query: { from: article, where } });
        expect([200, 400]).toContain(status);
      }
    });

    it('never treats a value as an operator of the database', async () => {
      const values = ['{"$gt":""}', "' or 1=1 --", '%', '_', '.*', '$where', '\\', '"'];
      for (const value of values) expect([value, await count('headline = ?', [value])]).toEqual([value, 0]);
      for (const value of values)
        expect([value, await count('headline contains ?', [value])]).toEqual([value, 0]);
    });
  });
}
