/** The native filters. The store contract tests what they find. */
import { describe, expect, test } from 'vitest';
import { bindPredicate, createPredicateCompiler } from '../../../../../src/query/prepare.ts';
import { compilePredicate, type Filter } from '../../../../../src/store/mongo/reads/compile-predicate.ts';
import { libraryCatalog } from '../../../../support/catalog.ts';

const { prepare } = createPredicateCompiler(libraryCatalog());

/** Compiles a predicate for books. Queries for targets are recorded, and find `p1` and `p2`. */
async function compile(text: string, values: readonly unknown[] = []) {
  const queries: { classes: readonly string[]; filter: Filter }[] = [];
  const filter = await compilePredicate(
    bindPredicate(prepare(['library.Book'], text), values),
    async (classes, inner) => {
      queries.push({ classes, filter: inner });
      return ['p1', 'p2'];
    },
    { classes: ['library.Book'], older: new Set() },
  );
  return { filter, queries };
}

const regex = ($regex: string) => ({ $regex, $options: 's' });

/** The filter for listed words and for strings of words. */
const anyForm = (name: string, listed: object, pattern: string) => ({
  $or: [{ [`_colophon.index.${name}`]: listed }, { [`_colophon.index.${name}`]: regex(pattern) }],
});

const filters: Record<string, [text: string, filter: Filter][]> = {
  'equality and order': [
    ['title = "a"', { title: 'a' }],
    ['title = ["a", "b"]', { title: { $in: ['a', 'b'] } }],
    ['title != "a"', { $nor: [{ title: 'a' }] }],
    ['pages < 3', { pages: { $lt: 3 } }],
    ['pages <= 3', { pages: { $lte: 3 } }],
    ['title > "a"', { title: { $gt: 'a' } }],
    ['editions >= 3', { editions: { $gte: 3 } }],
    ['inPrint = true', { inPrint: true }],
    ['_type = "library.Book"', { _type: 'library.Book' }],
  ],
  'paths to nested, embedded and referenced values': [
    ['shelf.mark.full = "a"', { 'shelf.mark.full': 'a' }],
    ['cover.size.width = 1', { 'cover.size.width': 1 }],
    ['notes.tags = "a"', { 'notes.tags': 'a' }],
    ['constructor = "a"', { constructor: 'a' }],
    [
      'writer = "0191f3a0-5b7e-7c11-9d2e-000000000001"',
      { 'writer._ref': '0191f3a0-5b7e-7c11-9d2e-000000000001' },
    ],
  ],
  'presence, by the value where there is one and by the list where it may be empty': [
    ['title = missing', { title: { $exists: false } }],
    ['title != missing', { title: { $exists: true } }],
    ['writer = missing', { 'writer._ref': { $exists: false } }],
    ['contributors = missing', { contributors: { $exists: false } }],
    ['extra = missing', { extra: { $exists: false } }],
    ['cover.size = missing', { 'cover.size': { $exists: false } }],
  ],
  'parts of texts as patterns that mean the same everywhere': [
    ['title startsWith "a"', { title: regex('^a') }],
    ['title contains "a"', { title: regex('a') }],
    ['title contains ".*+?^$|()[]{}/-"', { title: regex('\\.\\*\\+\\?\\^\\$\\|\\(\\)\\[\\]\\{\\}\\/\\-') }],
    ['title contains "\\\\"', { title: regex('\\\\') }],
    ['title startsWith[c] "K1"', { title: regex('^[kK\u212a]1') }],
    ['title =[c] "a"', { title: regex('^[aA](?!.)') }],
    ['title =[c] ["a", ""]', { $or: [{ title: regex('^[aA](?!.)') }, { title: regex('^(?!.)') }] }],
  ],
  'words by both forms of words': [
    ['text matches "Foo"', anyForm('text', { $in: ['foo'] }, '^ (?:.* )?(?:foo )')],
    ['text matches "b a"', anyForm('text', { $in: ['a', 'b'] }, '^ (?:.* )?(?:a |b )')],
    ['text matchesAll "b a"', anyForm('text', { $all: ['a', 'b'] }, '^ (?=(?:.* )?a )(?=(?:.* )?b )')],
    [
      'notes.tags matchesAll "b a"',
      {
        $or: [
          {
            $and: [
              { '_colophon.index.notes.tags': { $all: ['a', 'b'] } },
              { '_colophon.index.notes.tags': regex('^\t (?=(?:.* )?a )(?=(?:.* )?b )') },
            ],
          },
          { '_colophon.index.notes.tags': regex('^ (?=(?:.* )?a )(?=(?:.* )?b )') },
        ],
      },
    ],
    [
      'notes.text matchesAll "b a"',
      {
        $or: [
          { '_colophon.index.notes': { $elemMatch: { text: { $all: ['a', 'b'] } } } },
          { '_colophon.index.notes.text': regex('^ (?=(?:.* )?a )(?=(?:.* )?b )') },
        ],
      },
    ],
  ],
  logic: [
    ['true', {}],
    ['false', { _id: { $in: [] } }],
    ['title = "a" and not pages = 1', { $and: [{ title: 'a' }, { $nor: [{ pages: 1 }] }] }],
    ['title = "a" or pages = 1', { $or: [{ title: 'a' }, { pages: 1 }] }],
  ],
};

for (const [group, cases] of Object.entries(filters)) {
  describe(group, () => {
    test.each(cases)('%s', async (text, filter) => {
      expect(await compile(text)).toEqual({ filter, queries: [] });
    });
  });
}

describe('a path through references', () => {
  test('finds the targets first and compares with their ids', async () => {
    expect(await compile('writer/name = "Ada"')).toEqual({
      filter: { 'writer._ref': { $in: ['p1', 'p2'] } },
      queries: [{ classes: ['library.Person'], filter: { name: 'Ada' } }],
    });
  });

  test('is followed from its end', async () => {
    const { filter, queries } = await compile('notes.by/_type = "library.Person" or about/name = missing');
    expect(filter).toEqual({
      $or: [{ 'notes.by._ref': { $in: ['p1', 'p2'] } }, { $nor: [{ 'about._ref': { $in: ['p1', 'p2'] } }] }],
    });
    expect(new Set(queries.map(({ filter: inner }) => inner))).toEqual(
      new Set([{ _type: 'library.Person' }, { name: { $exists: true } }]),
    );
    const twice = await compile('contributors/employer/size > 1');
    expect(twice.queries).toEqual([
      { classes: ['library.Company'], filter: { size: { $gt: 1 } } },
      { classes: ['library.Person'], filter: { 'employer._ref': { $in: ['p1', 'p2'] } } },
    ]);
  });
});

test('alternatives through one reference need one search of its targets', async () => {
  const { filter, queries } = await compile(
    'writer/name = "Ada" or writer/name startsWith "B" or writer/employer/size > 1',
  );
  expect(filter).toEqual({ 'writer._ref': { $in: ['p1', 'p2'] } });
  expect(queries.map(({ classes }) => classes)).toEqual([['library.Company'], ['library.Person']]);
  expect(queries[1]?.filter).toMatchObject({ $or: [{ name: 'Ada' }, { name: {} }, { 'employer._ref': {} }] });
});

describe('a condition on items', () => {
  const isFields = { '_colophon.absent': { $exists: false } };

  test('is about one embedded value at a time', async () => {
    const { filter } = await compile('notes any (page > 1 and by/name = a)');
    const items = { $and: [{ page: { $gt: 1 } }, { 'by._ref': { $in: ['p1', 'p2'] } }] };
    expect(filter).toEqual({ notes: { $elemMatch: { ...isFields, ...items } } });
    const every = await compile('notes every (marks any (page = missing))');
    const inner = { marks: { $elemMatch: { page: { $exists: false } } } };
    expect(every.filter).toEqual({ $nor: [{ notes: { $elemMatch: { ...isFields, $nor: [inner] } } }] });
  });

  test('with words or order keys is tested on the assets that it leaves', async () => {
    const { filter, queries } = await compile('notes any (page = 1 and fee > 2 and not text matches a)');
    expect(filter).toEqual({ _id: { $in: ['p1', 'p2'] } });
    expect(queries).toMatchObject([
      {
        classes: ['library.Book'],
        filter: { $and: [{ 'notes.page': 1 }, { '_colophon.index.notes.fee': {} }] },
      },
    ]);
  });
});

test('a text that is too long for a pattern is refused', async () => {
  await expect(compile('title =[c] ?', ['a'.repeat(10_000)])).rejects.toMatchObject({
    code: 'invalid_parameter',
  });
  expect((await compile('title = ?', ['a'.repeat(10_000)])).filter).toEqual({ title: 'a'.repeat(10_000) });
});
