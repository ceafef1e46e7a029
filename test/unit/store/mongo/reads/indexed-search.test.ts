import { expect, test } from 'vitest';
import { bindPredicate, createPredicateCompiler } from '../../../../../src/query/prepare.ts';
import { bindSort } from '../../../../../src/query/sort.ts';
import { createIndexLookup } from '../../../../../src/store/mongo/indexes/index-lookup.ts';
import { isIndexed } from '../../../../../src/store/mongo/reads/indexed-search.ts';
import { catalogOf } from '../../../../support/types.ts';

const catalog = catalogOf(`
type Book @contentType(class: "x.Book") {
  title: String @indexed pages: Int code: ID @indexed(unique: true) blurb: String @searchable
  author: Author @indexed editor: Author
}
type Film @contentType(class: "x.Film") @unique(fields: ["cms.site.owner", "part"]) { title: String part: Int }
type Author @contentType(class: "x.Author") { name: String @indexed city: String }
`);
const { prepare } = createPredicateCompiler(catalog);
const indexes = createIndexLookup(catalog);

const find = (text: string, types = ['x.Book']) =>
  isIndexed({ types, where: bindPredicate(prepare(types, text), []) }, indexes);
const order = (field: string) =>
  isIndexed(
    { types: ['x.Book'], sort: bindSort(catalog, ['x.Book'], [{ field, descending: true }]) },
    indexes,
  );

test.each([
  'title = "a"',
  'title = "a" and pages = 3',
  'title startsWith "a" or code = "b" or _id = "00000000-0000-7000-8000-000000000001"',
  'blurb matches "a"',
  'author/name = "a"',
  '_id > "a"',
  'true',
  'false',
])('indexes find %s', (where) => {
  expect(find(where)).toBe(true);
});

test.each([
  'pages = 3',
  'title = "a" or pages = 3',
  'not title = "a"',
  'title =[c] "a"',
  'title contains "a"',
  'title = missing',
  'title matches "a"',
  'author/city = "a"',
  'editor/name = "a"',
  'author/name = missing',
  Array.from({ length: 33 }, (_, n) => `title = "${n}"`).join(' or '),
])('no index finds %s', (where) => {
  expect(find(where)).toBe(false);
});

test('the index of fields that are unique together finds their values, an absent site owner being one', () => {
  const ofFilm = (where: string) => find(where, ['x.Film']);
  expect(ofFilm('part = 1 and title = "a" and cms.site.owner = null')).toBe(true);
  expect(
    ofFilm(
      'part = 1 and cms.site.owner = null or part = [2, 3] and cms.site.owner = "00000000-0000-7000-8000-000000000001"',
    ),
  ).toBe(true);
  expect(ofFilm('part = null and title = "a"')).toBe(false);
  expect(ofFilm('part > 1 and title = "a"')).toBe(false);
});

test('each type needs the index', () => {
  expect(find('title = "a"', ['x.Book', 'x.Film'])).toBe(false);
});

test('all assets are found in an order that an index has', () => {
  expect(['_id', 'title', 'author'].map(order)).toEqual([true, true, true]);
  expect(['pages', 'code'].map(order)).toEqual([false, false]);
});
