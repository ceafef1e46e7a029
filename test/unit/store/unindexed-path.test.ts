import { expect, test } from 'vitest';
import { bindPredicate, createPredicateCompiler } from '../../../src/query/prepare.ts';
import { bindSort } from '../../../src/query/sort.ts';
import { createIndexLookup } from '../../../src/store/mongo/indexes/index-lookup.ts';
import { findUnindexed } from '../../../src/store/unindexed-path.ts';
import { catalogOf } from '../../support/types.ts';

const catalog = catalogOf(`
type Book @contentType(class: "x.Book") { title: String @indexed pages: Int blurb: String @searchable author: Author @indexed }
type Film @contentType(class: "x.Film") { title: String }
type Author @contentType(class: "x.Author") { name: String @indexed }
`);
const { prepare } = createPredicateCompiler(catalog);
const indexes = createIndexLookup(catalog);

const toKeys = (sort: string) => sort.split(',').map((field) => ({ field, descending: false }));
const find = (text: string, { types = ['x.Book'], sort = '', byCursor = false } = {}) =>
  findUnindexed(
    {
      types,
      where: bindPredicate(prepare(types, text), []),
      ...(sort && { sort: bindSort(catalog, types, toKeys(sort)) }),
      ...(byCursor && { keyset: {} }),
    },
    indexes,
  );

test.each([
  ['title = "a" and pages = 3', 'pages'],
  ['not (title = "a" or title contains "b")', 'title'],
  ['title =[c] "a"', 'title'],
  ['title matches "a"', 'title'],
  ['author/name = "a"', 'author/name'],
  ['title = missing', 'title'],
  ['blurb = "a"', 'blurb'],
])('the path without an index in %s is %s', (where, path) => {
  expect(find(where)).toBe(path);
});

test('what every type has an index of is not named', () => {
  expect(find('title = "a" and title startsWith "b" and title > "c" and _id > "d"')).toBeUndefined();
  expect(find('blurb matches "a"')).toBeUndefined();
  expect(find('title = "a"', { types: ['x.Book', 'x.Film'] })).toBe('title');
});

test('the order is named when the comparisons have indexes', () => {
  expect(find('title = "a"', { sort: 'pages' })).toBe('pages');
  expect(find('true', { sort: 'title' })).toBeUndefined();
  expect(find('pages = 3', { sort: 'title' })).toBe('pages');
});

test('by cursor the order is named first', () => {
  expect(find('pages = 3', { sort: 'blurb', byCursor: true })).toBe('blurb');
  expect(find('pages = 3', { sort: 'title,_type,blurb', byCursor: true })).toBe('blurb');
  expect(find('pages = 3', { sort: 'title', byCursor: true })).toBe('pages');
  expect(find('pages = 3', { byCursor: true })).toBe('pages');
});
