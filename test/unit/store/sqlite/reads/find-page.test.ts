import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Asset } from '../../../../../src/model/content-type.ts';
import { evaluatePredicate } from '../../../../../src/query/evaluate.ts';
import { bindPredicate, createPredicateCompiler } from '../../../../../src/query/prepare.ts';
import { bindSort, compareBySort } from '../../../../../src/query/sort.ts';
import type { FindRequest } from '../../../../../src/store/port.ts';
import { createQueryRunner } from '../../../../../src/store/sqlite/connection.ts';
import { onThread, readPage, type SearchRun } from '../../../../../src/store/sqlite/reads/find-page.ts';
import type { FoundDocuments } from '../../../../../src/store/sqlite/reads/read-documents.ts';
import { createRowCeiling } from '../../../../../src/store/sqlite/reads/search-budget.ts';
import { arbitraryAssets } from '../../../../support/assets.ts';
import { indexedLibraryCatalog } from '../../../../support/catalog.ts';
import { openIndexed } from '../../../../support/page-plans.ts';
import { arbitraryPredicateText } from '../../../../support/predicates.ts';
import { arbitrarySort } from '../../../../support/sorts.ts';
import { storeRows } from '../../../../support/stored-rows.ts';

const catalog = indexedLibraryCatalog();
const { prepare } = createPredicateCompiler(catalog);
const book = 'library.Book';
const idOf = (n: number) => `0191f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`;

/** Opens a store in memory with these assets. */
function openWith(assets: readonly Asset[]) {
  // Only rows count, however busy the machine is.
  const ceiling = createRowCeiling({ nowMs: () => 0, cpuMs: () => 0 });
  const { database, functions, types } = openIndexed(catalog, ceiling.isExceeded);
  storeRows(database, types, assets);
  const runner = createQueryRunner(database, functions);
  /** Finds as on the main thread, where fewer rows are visited by a factor. */
  const findOnMain = (request: FindRequest, { few, factor }: { few: number; factor: number }) =>
    runner.inSnapshot((all) => {
      const within: SearchRun['within'] = (rows, search) => ceiling.within(rows / factor, search);
      return readPage({ all, few, within }, request, types);
    });
  const findOnThread = (request: FindRequest) =>
    runner.inSnapshot((all) => readPage(onThread(all), request, types));
  return { findOnMain, findOnThread };
}

interface Wanted {
  readonly where?: string;
  readonly sort?: string;
  readonly classes?: readonly string[];
  readonly offset?: number;
  readonly limit?: number;
}

/** Keys are written `name` or `-name`, descending. */
function toRequest({
  where = 'true',
  sort = '',
  classes = [book],
  offset = 0,
  limit = 5,
}: Wanted): FindRequest {
  const keys = sort.split(' ').filter((key) => key !== '');
  return {
    types: classes,
    where: bindPredicate(prepare(classes, where), []),
    sort: bindSort(
      catalog,
      classes,
      keys.map((key) => ({ field: key.replace('-', ''), descending: key.startsWith('-') })),
    ),
    offset,
    limit,
    withCount: true,
  };
}

/** Finds what the reference implementation finds. */
function findMeant(assets: readonly Asset[], { types, where, sort = [], offset, limit }: FindRequest) {
  const byId = new Map(assets.map((asset) => [asset._id, asset]));
  const resolve = (id: string) => byId.get(id);
  const all = assets
    .filter((asset) => types.includes(asset._type))
    .filter((asset) => !where || evaluatePredicate({ predicate: where, asset, resolve }))
    .toSorted(compareBySort(sort));
  return { ids: all.slice(offset, offset + limit).map(({ _id }) => _id), count: all.length };
}

const idsOf = ({ rows }: Partial<FoundDocuments>) => rows?.map(([, , id]) => id);

describe('generated finds', () => {
  const ids = Array.from({ length: 32 }, (_, n) => idOf(n));
  const names = [book, 'library.Person', book, 'library.Company'];
  const kinds = names.flatMap((name) => catalog.types.get(name) ?? []);
  const worlds = fc.sample(arbitraryAssets({ types: kinds, ids }), { numRuns: 4 });
  const limits = fc.record({
    few: fc.constantFrom(1, 4, 1_000),
    factor: fc.constantFrom(1, 500, 5_000),
  });

  test('are those of the reference, whatever the limits, on both threads', () => {
    const opened = worlds.map((assets) => ({ assets, ...openWith(assets) }));
    const classes = fc.constantFrom([book], [book], ['library.Company', 'library.Person']);
    const find = classes.chain((searched) =>
      fc.record({
        searched: fc.constant(searched),
        keys: arbitrarySort({ catalog, classes: searched }),
        text: arbitraryPredicateText({ catalog, classes: searched, ids }),
        offset: fc.constantFrom(0, 0, 3),
        limit: fc.constantFrom(0, 1, 5, 1000),
        limits,
        world: fc.nat({ max: opened.length - 1 }),
      }),
    );
    const seen = { pages: 0, counts: 0 };
    fc.assert(
      fc.property(find, ({ searched, keys, text, offset, limit, limits: given, world }) => {
        const request: FindRequest = {
          types: searched,
          where: bindPredicate(prepare(searched, text), []),
          sort: bindSort(catalog, searched, keys),
          offset,
          limit,
          withCount: true,
        };
        const { assets, findOnMain, findOnThread } = opened[world] ?? expect.fail(`no world ${world}`);
        const meant = findMeant(assets, request);
        const found = findOnMain(request, given);
        if (found.rows) expect(idsOf(found)).toEqual(meant.ids);
        if (found.count !== undefined) expect(found.count).toBe(meant.count);
        const whole = findOnThread(request);
        expect(whole.count).toBe(meant.count);
        if (limit > 0) expect(idsOf(whole)).toEqual(meant.ids);
        seen.pages += Number(found.rows !== undefined && meant.ids.length > 0);
        seen.counts += Number(found.count !== undefined && meant.count > 0);
      }),
      { numRuns: 300 },
    );
    // Finds beyond their limits, or of nothing, would prove little.
    expect(seen.pages).toBeGreaterThan(10);
    expect(seen.counts).toBeGreaterThan(10);
  });
});

describe('on the main thread', () => {
  /** Every book has the tag `all`, every tenth `some` and every thousandth `few`; the 20 people have written a hundred each. */
  const books: Asset[] = Array.from({ length: 2_000 }, (_, n) => ({
    _id: idOf(n),
    _type: book,
    title: `title ${(n * 37) % 2_000}`,
    genre: n % 2 === 0 ? 'NOVEL' : 'POEM',
    pages: n % 7,
    printed: (n * 91) % 2_000,
    subtitles: ['all', ...(n % 10 === 0 ? ['some'] : []), ...(n % 1_000 === 0 ? ['few'] : [])],
    cover: { colour: n % 100 === 0 ? 'red' : 'blue' },
    writer: { _ref: idOf(10_000 + (n % 20)), _type: 'library.Person' },
  }));
  const people: Asset[] = Array.from({ length: 20 }, (_, n) => ({
    _id: idOf(10_000 + n),
    _type: 'library.Person',
    name: `person ${n}`,
  }));
  const assets = [...books, ...people];
  /** The limits are 400 rows of few assets, 200 of an index, 100 with columns and 10 documents; with a row in eight checked, they are rounded up. */
  const limits = { few: 50, factor: 50 };
  let opened: ReturnType<typeof openWith>;

  beforeAll(() => {
    opened = openWith(assets);
  });

  function find(wanted: Wanted) {
    const request = toRequest(wanted);
    const found = opened.findOnMain(request, limits);
    const meant = findMeant(assets, request);
    if (found.rows) expect(idsOf(found)).toEqual(meant.ids);
    if (found.count !== undefined) expect(found.count).toBe(meant.count);
    return { page: found.rows !== undefined, count: found.count !== undefined };
  }

  test.each<[string, Wanted]>([
    ['all assets', {}],
    ['all assets by an index', { sort: '-printed' }],
    ['the only asset with a value', { where: 'title = "title 77"' }],
    ['few values of a list', { where: 'subtitles = few' }],
    ['few values of a list, by a field without an index', { where: 'subtitles = few', sort: 'pages' }],
    [
      'a rare value and any other condition',
      { where: 'subtitles = few and text contains "x" or title = "title 3"' },
    ],
    ['a rare value beside a frequent one', { where: 'genre = NOVEL and cover.colour = red', sort: 'pages' }],
    ['a rare value and words', { where: 'cover.colour = red and title matches "title"', sort: '-title' }],
    ['a path through a reference', { where: 'writer/name = "person 3" and cover.colour = red' }],
    ['a range', { where: 'printed >= 10 and printed < 20', sort: 'pages' }],
    ['several types', { classes: ['library.Person', 'library.Company'], sort: 'name' }],
  ])('page and count of %s are found', (_, wanted) => {
    expect(find(wanted)).toEqual({ page: true, count: true });
  });

  // Only every tenth asset with the other value has this one, too.
  const rarer = `writer = "${idOf(10_004)}" and genre = NOVEL`;
  const reversed = rarer.split(' and ').toReversed().join(' and ');

  test.each<[string, Wanted]>([
    ['a frequent value', { where: 'genre = NOVEL' }],
    ['a frequent value in the order of an index', { where: 'genre = NOVEL', sort: 'printed' }],
    ['a frequent value of a list', { where: 'subtitles = all', offset: 20 }],
    ['two frequent values', { where: 'genre = NOVEL and subtitles = some' }],
    ['two frequent values, the first the rarer one', { where: rarer, limit: 30 }],
    ['two frequent values, the second the rarer one', { where: reversed, limit: 30 }],
    ['two frequent values, the latest first', { where: reversed, sort: '-_id', limit: 30 }],
    ['a frequent value after an identifier', { where: `genre = POEM and _id > "${idOf(700)}"` }],
    ['a condition without an index that many fulfil', { where: 'pages = 3' }],
    [
      'a path through a reference that many share',
      { where: 'writer/name startsWith person and genre = NOVEL' },
    ],
  ])('the page of %s is found, and its count is not', (_, wanted) => {
    expect(find(wanted)).toEqual({ page: true, count: false });
  });

  test.each<[string, Wanted]>([
    ['a condition without an index that few fulfil', { where: 'weight = 3' }],
    ['words', { where: 'title matches "nothing"' }],
    ['a distant page', { where: 'genre = NOVEL', offset: 20_000 }],
    ['an order without an index', { where: 'genre = NOVEL', sort: 'weight' }],
  ])('neither is found for %s', (_, wanted) => {
    expect(find(wanted)).toEqual({ page: false, count: false });
  });
});
