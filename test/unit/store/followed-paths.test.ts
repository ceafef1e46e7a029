import { expect, test } from 'vitest';
import type { BoundPredicate } from '../../../src/query/ast.ts';
import { bindPredicate } from '../../../src/query/bind.ts';
import { createPredicateCompiler } from '../../../src/query/prepare.ts';
import { groupFollowed, toFollowed } from '../../../src/store/followed-paths.ts';
import { catalogOf } from '../../support/types.ts';

const catalog = catalogOf(`
type Book @contentType(class: "x.Book") { title: String author: Author editors: [Author!] }
type Author @contentType(class: "x.Author") { name: String boss: Author }
`);
const { prepare } = createPredicateCompiler(catalog);
const bind = (type: string, text: string) => bindPredicate(prepare([type], text), []);
const termsOf = (predicate: BoundPredicate) => (predicate.kind === 'or' ? predicate.terms : [predicate]);
const group = (text: string) => groupFollowed(termsOf(bind('x.Book', text)));

test('the alternatives through one reference become one search, whatever they compare', () => {
  const { followed, rest } = group('author/name = "a" or title = "t" or author/boss/name contains "b"');
  expect(rest).toEqual([bind('x.Book', 'title = "t"')]);
  expect(followed).toHaveLength(1);
  expect(followed[0]).toMatchObject({ path: { steps: [{ name: 'author' }] }, targets: ['x.Author'] });
  expect(followed[0]?.where).toMatchObject({
    kind: 'or',
    terms: [
      { kind: 'equals', path: { text: 'name' } },
      { kind: 'text', path: { steps: [{ name: 'boss' }], through: {} } },
    ],
  });
});

test('each reference has its own search', () => {
  const { followed } = group('author/name = "a" or editors/name = "a"');
  expect(followed.map(({ path }) => path.steps[0]?.name)).toEqual(['author', 'editors']);
});

test('an absent field is not searched for in referenced assets', () => {
  expect(toFollowed(bind('x.Book', 'author/name = missing'))).toBeUndefined();
  expect(group('author/name = missing or author/name = "a"').rest).toHaveLength(1);
});
