/** What drives a page: the index that the plan of its statement uses, and where many entries of indexes match, the page itself. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Asset } from '../../../../../src/model/content-type.ts';
import { evaluatePredicate } from '../../../../../src/query/evaluate.ts';
import type { SortPosition } from '../../../../../src/query/keyset.ts';
import { bindPredicate, createPredicateCompiler } from '../../../../../src/query/prepare.ts';
import { bindSort, compareBySort } from '../../../../../src/query/sort.ts';
import type { RunQuery } from '../../../../../src/store/sqlite/connection.ts';
import { rangesAfter } from '../../../../../src/store/sqlite/reads/choose-index.ts';
import { locate, onThread } from '../../../../../src/store/sqlite/reads/find-page.ts';
import { findWithPlans, openIndexed, toReadable } from '../../../../support/page-plans.ts';
import { storeRows } from '../../../../support/stored-rows.ts';
import { catalogOf } from '../../../../support/types.ts';

const catalog = catalogOf(`
interface Titled @contentType(class: "x.Titled") { title: String! @indexed }
type Book implements Titled @contentType(class: "x.Book") @unique(fields: ["code", "cms.site.owner", "row"]) {
  code: String
  row: Int
  title: String! @indexed
  subtitle: String
  pages: Int @indexed
  price: Float
  state: State! @indexed
  isbn: String @indexed(unique: true)
  tags: [String!] @indexed
  author: Author @indexed
  cover: Cover
}
enum State { NEW OLD GONE }
type Cover { colour: String @indexed }
type Film implements Titled @contentType(class: "x.Film") { title: String! @indexed }
type Author @contentType(class: "x.Author") { name: String @indexed }
`);
const { prepare } = createPredicateCompiler(catalog);

const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** Every fifth book has no pages, every seventh no ISBN; 1 in 40 has the state GONE, most have OLD. */
const books: Asset[] = Array.from({ length: 200 }, (_, n) => ({
  _id: idOf(n),
  _type: 'x.Book',
  title: `title ${(n * 37) % 50}`,
  price: ((n * 7) % 11) / 4,
  state: n % 40 === 0 ? 'GONE' : n % 4 === 0 ? 'NEW' : 'OLD',
  tags: n % 2 === 0 ? ['even', `tag ${n % 30}`] : [],
  author: { _ref: idOf(1000 + (n % 20)), _type: 'x.Author' },
  cover: n % 3 === 0 ? { colour: `colour ${n % 9}` } : {},
  ...(n % 5 !== 0 && { pages: (n * 13) % 90 }),
  ...(n % 7 !== 0 && { isbn: `isbn ${(n * 91) % 200}` }),
}));

const opened = openIndexed(catalog);
const { database, functions, types } = opened;
storeRows(database, types, books);

interface Wanted {
  readonly sort: string;
  readonly where?: string;
  readonly classes?: readonly string[];
  readonly offset?: number;
  readonly limit?: number;
}

/** Keys are written `name` or `-name`, descending. */
function toRequest({ sort, where = 'true', classes = ['x.Book'], offset = 0, limit = 10 }: Wanted) {
  const keys = sort
    .split(' ')
    .map((key) => ({ field: key.replace('-', ''), descending: key.startsWith('-') }));
  return {
    types: classes,
    where: bindPredicate(prepare(classes, where), []),
    sort: bindSort(catalog, classes, keys),
    offset,
    limit,
    withCount: false,
  };
}

const find = (wanted: Wanted) => findWithPlans(opened, toRequest(wanted));

const planOf = (wanted: Wanted): string => toReadable(types, find(wanted).pagePlan);

const sorting = /TEMP B-TREE/;

describe('the plan of a sorted page', () => {
  test.each([
    ['title', 'x.Book title'],
    ['-title', 'x.Book title'],
    ['pages', 'x.Book pages'],
    ['-pages', 'x.Book pages'],
    ['author', 'x.Book author'],
    ['-cover.colour', 'x.Book cover.colour'],
  ])('by %s walks the index in order, and reads the documents of the page alone', (sort, index) => {
    const plan = planOf({ sort });
    expect(plan).toContain(`SCAN type USING COVERING INDEX [${index}]`);
    expect(plan).not.toMatch(sorting);
  });

  test('behind a reference searches its index by the assets that it leads to', () => {
    const plan = planOf({ sort: '_id', where: 'author/name = "a"' });
    expect(plan).toContain('SEARCH type USING COVERING INDEX [x.Book author] (x=?)');
    // Only that of the authors.
    expect(plan.match(/type USING INTEGER PRIMARY KEY/g)).toHaveLength(1);
  });

  test('by _id, descending too, walks the type', () => {
    expect(planOf({ sort: '-_id' })).toContain('SCAN type USING COVERING INDEX type_by_id');
    expect(planOf({ sort: '-_id' })).not.toMatch(sorting);
  });

  test('by a unique field sorts by identifier only what has the same value, or none', () => {
    for (const sort of ['isbn', '-isbn']) {
      expect(planOf({ sort })).toContain('SCAN type USING INDEX [x.Book isbn]');
      expect(planOf({ sort }).match(/TEMP B-TREE.*/g)).toEqual(['TEMP B-TREE FOR LAST TERM OF ORDER BY']);
    }
  });

  test('by several keys sorts what has the same first value', () => {
    const plan = planOf({ sort: '-pages price' });
    expect(plan).toContain('SCAN type USING COVERING INDEX [x.Book pages]');
    expect(plan).toContain('TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY');
  });

  test('of several types merges the walks of their indexes', () => {
    const plan = planOf({ sort: '-title', classes: ['x.Book', 'x.Film'] });
    expect(plan).toContain('MERGE (UNION ALL)');
    expect(plan).toContain('COVERING INDEX [x.Book title]');
    expect(plan).toContain('COVERING INDEX [x.Film title]');
    expect(plan).not.toMatch(sorting);
  });

  test('by a field without an index sorts the type', () => {
    const plan = planOf({ sort: 'price' });
    expect(plan).toContain('SCAN type');
    expect(plan).toMatch(sorting);
  });

  test('filtered by the sorted field stays in its index', () => {
    const plan = planOf({ sort: '-pages', where: 'pages >= 3 and pages < 9' });
    expect(plan).toContain('SEARCH type USING COVERING INDEX [x.Book pages] (x>? AND x<?)');
    expect(plan).not.toMatch(sorting);
  });

  test('without an index for the filter walks in order too', () => {
    const plan = planOf({ sort: '-pages', where: 'subtitle contains "a"' });
    expect(plan).toContain('SCAN type USING COVERING INDEX [x.Book pages]');
    expect(plan).not.toMatch(sorting);
  });

  test.each([
    ['state = OLD', '[x.Book state] (x=?)'],
    ['title startsWith "title 1"', '[x.Book title] (x>? AND x<?)'],
    ['state = GONE and title startsWith "title"', '[x.Book state] (x=?)'],
    ['title startsWith "title" and state = GONE', '[x.Book state] (x=?)'],
    [`_id = ["${idOf(1)}", "${idOf(2)}"]`, 'type_by_id (id=?)'],
    ['tags = "tag 28"', '[x.Book tags] USING PRIMARY KEY (value=?)'],
    ['author/name = "a"', '[x.Book author] (x=?)'],
    ['state = OLD and tags = "tag 28"', '[x.Book tags] USING PRIMARY KEY (value=?)'],
    [
      'row = 3 and state = OLD and cms.site.owner = null and code = "a"',
      '[x.Book code,cms.site.owner,row] (x=?)',
    ],
    [
      '(code = "a" and row = [1, 2] and cms.site.owner = null) or title = "a"',
      '[x.Book code,cms.site.owner,row] (x=?)',
    ],
    ['state = OLD or title = "a"', '[x.Book title] (x=?)'],
  ])('of %s sorts what the index with the fewest entries finds', (where, expected) => {
    const plan = planOf({ sort: '-pages', where });
    expect(plan).toContain(expected);
    expect(plan).toMatch(sorting);
    expect(plan).not.toContain('[x.Book pages]');
    expect(plan).not.toContain('SCAN type');
  });
});

describe('the plan of the page after an _id', () => {
  const after = `_id > "${idOf(50)}"`;
  const range = (index: string) => new RegExp(`SEARCH type USING (COVERING )?INDEX ${index} \\(.*id>\\?\\)`);

  test.each([
    [after, 'type_by_id'],
    [`(${after}) and true`, 'type_by_id'],
    [`(price > 1) and ${after}`, 'type_by_id'],
    [`(not state = OLD) and ${after}`, 'type_by_id'],
    [`(state = OLD) and ${after}`, '\\[x.Book state\\]'],
    [`(cover.colour = red) and ${after}`, '\\[x.Book cover.colour\\]'],
    [`(cover.colour = red and price > 1) and ${after}`, '\\[x.Book cover.colour\\]'],
  ])('where %s begins there, and sorts nothing', (where, index) => {
    const plan = planOf({ sort: '_id', where });
    expect(plan).toMatch(range(index));
    expect(plan).not.toMatch(/SCAN (type|assets)/);
    expect(plan).not.toMatch(sorting);
  });

  test.each([after, `(title = "title 1") and ${after}`])(
    'of several types begins there in each: %s',
    (where) => {
      const plan = planOf({ sort: '_id', where, classes: ['x.Book', 'x.Film'] });
      expect(plan).toContain('MERGE (UNION ALL)');
      expect(plan.match(/\(.*id>\?\)/g)).toHaveLength(2);
      expect(plan).not.toMatch(/SCAN (type|assets)/);
      expect(plan).not.toMatch(sorting);
    },
  );
});

describe('a page of conditions that find many assets each', () => {
  const many: Asset[] = Array.from({ length: 25_000 }, (_, n) => ({
    _id: idOf(10_000 + n),
    _type: 'x.Book',
    title: 'title',
    state: n % 5 === 0 ? 'NEW' : 'OLD',
    pages: n % 7,
  }));
  // Each index finds more than the number below which its assets are sorted.
  const [olds, long] = [
    many.filter(({ state }) => state === 'OLD'),
    many.filter(({ pages }) => Number(pages) > 2),
  ];

  beforeAll(() => {
    database.exec('BEGIN');
    storeRows(database, types, many);
    return () => database.exec('ROLLBACK');
  });

  test.each([
    ['_id', 'state = OLD and pages > 2', '[x.Book state] (x=?)'],
    ['-_id', 'title = title and state = NEW', '[x.Book state] (x=?)'],
    ['-_id', 'state = NEW and title = title', '[x.Book state] (x=?)'],
    ['_id', 'pages > 2', 'SCAN type USING INDEX type_by_id'],
    ['_id', 'tags != even', 'SCAN type USING COVERING INDEX type_by_id'],
    ['pages', 'state = OLD', 'SCAN type USING INDEX [x.Book pages]'],
    ['pages price', 'pages = 3', '[x.Book pages] (x=?)'],
    ['state pages', 'state = OLD', 'SCAN type USING INDEX [x.Book pages]'],
  ])('by %s of %s walks an index that has the order', (sort, where, expected) => {
    const plan = planOf({ sort, where });
    expect(plan).toContain(expected);
    if (!sort.includes('price')) expect(plan).not.toMatch(sorting);
  });

  test('is counted by the entries of the indexes, without their rows', () => {
    const request = { ...toRequest({ sort: '_id', where: 'state = NEW and title = title' }), limit: 0 };
    const { count, countPlan } = findWithPlans(opened, { ...request, withCount: true });
    expect(count).toBe(many.filter(({ state }) => state === 'NEW').length);
    const plan = toReadable(types, countPlan);
    expect(plan).toContain('SEARCH type USING COVERING INDEX [x.Book state] (x=?)');
    expect(plan).toContain('SEARCH entry EXISTS USING COVERING INDEX [x.Book title] (x=? AND id=?)');
    expect(plan).not.toMatch(/type USING (INDEX|INTEGER PRIMARY KEY)/);
  });

  test.each(['_id', '-_id'])('is that of the reference, by %s', (sort) => {
    expect(Math.min(olds.length, long.length)).toBeGreaterThan(10_000);
    for (const where of [
      'state = OLD and pages > 2',
      'title = title and state = OLD',
      `pages > 2 and title = title and _id > "${idOf(20_000)}"`,
      `state = OLD and pages > 2 and _id > "${idOf(20_000)}"`,
      `state = OLD and pages > 2 and _id > "${idOf(20_000)}" and _id < "${idOf(20_050)}"`,
    ]) {
      const request = toRequest({ where, sort });
      const meant = [...books, ...many]
        .filter((asset) => evaluatePredicate({ predicate: request.where, asset, resolve: () => undefined }))
        .toSorted(compareBySort(request.sort));
      for (const [offset, limit] of [
        [0, 7],
        [100, 1_000],
        [12_000, 1_000],
      ] as const) {
        const { ids } = find({ where, sort, offset, limit });
        expect(ids).toEqual(meant.slice(offset, offset + limit).map(({ _id }) => _id));
      }
    }
  });
});

describe('the plan of a page behind a position', () => {
  const last = idOf(120);
  const planBehind = (sort: string, after: SortPosition, where = 'true') => {
    const request = toRequest({ sort, where });
    const [range] = rangesAfter({ sort: request.sort, terms: [] }, { classes: ['x.Book'], types }, after);
    let plan = '';
    const all: RunQuery = ({ sql, params, tests = [] }) => {
      const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...params);
      if (sql.includes('octet_length'))
        plan = rows.map(({ detail }) => toReadable(types, String(detail))).join('\n');
      const statement = database.prepare(sql);
      statement.setReturnArrays(true);
      // With `setReturnArrays` rows are arrays, which the declared types do not know.
      return functions.withTests(tests, () => statement.all(...params)) as never;
    };
    const search = {
      where: request.where,
      sort: request.sort,
      types,
      range: range ?? expect.fail('no range'),
    };
    locate({ ...onThread(all), few: 0 }, search, { limit: 10, offset: 0 });
    return plan;
  };

  test.each<[string, SortPosition, string, string]>([
    ['title', ['title 3', last], 'true', '[x.Book title] ((x,id)>(?,?))'],
    ['-title', ['title 3', last], 'true', '[x.Book title] (x>? AND (x,id)<(?,?))'],
    ['pages', [40, last], 'pages > 3 and pages < 80', '[x.Book pages] ((x,id)>(?,?) AND x<?)'],
    ['pages', [40, last], 'state = OLD', '[x.Book pages] ((x,id)>(?,?))'],
    ['state', ['NEW', last], 'state = [NEW, OLD]', '[x.Book state] ((x,id)>(?,?))'],
    ['pages', [null, last], 'true', '[x.Book pages] (x=? AND id>?)'],
    ['-_id', [last], 'state = OLD', '[x.Book state] (x=? AND id<?)'],
  ])('by %s, behind %j where %s, begins there and sorts nothing', (sort, after, where, expected) => {
    const plan = planBehind(sort, after, where);
    expect(plan).toContain(expected);
    expect(plan).not.toMatch(sorting);
  });

  test('by a unique field visits and sorts only the assets without a value', () => {
    const plan = planBehind('isbn', [null, last]);
    expect(plan).toContain('[x.Book isbn] (x=?)');
    expect(plan).not.toContain('type_by_id');
  });

  test('by several keys begins at the value of the first one', () => {
    expect(planBehind('pages price', [40, 1, last])).toContain('[x.Book pages] (x>?)');
  });
});
