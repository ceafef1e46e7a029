/** Generated predicates, evaluated by the reference, obey the laws of logic. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Asset } from '../../src/model/content-type.ts';
import { evaluatePredicate } from '../../src/query/evaluate.ts';
import { bindPredicate, createPredicateCompiler } from '../../src/query/prepare.ts';
import { arbitraryAssets } from '../support/assets.ts';
import { libraryCatalog } from '../support/catalog.ts';
import { arbitraryPredicateText } from '../support/predicates.ts';

const catalog = libraryCatalog();
const { prepare } = createPredicateCompiler(catalog);
const classes = ['library.Book'];
const ids = Array.from(
  { length: 24 },
  (_, index) => `0191f3a0-5b7e-7c11-9d2e-${String(index).padStart(12, '0')}`,
);
const names = ['library.Book', 'library.Person', 'library.Book', 'library.Company'];
const types = names.flatMap((name) => catalog.types.get(name) ?? []);

/** Finds the ids of the books that match a predicate. */
function find(text: string, assets: readonly Asset[]): string[] {
  const predicate = bindPredicate(prepare(classes, text), []);
  const resolve = (id: string) => assets.find(({ _id }) => _id === id);
  return assets
    .filter((asset) => asset._type === 'library.Book' && evaluatePredicate({ predicate, asset, resolve }))
    .map(({ _id }) => _id);
}

const texts = arbitraryPredicateText({ catalog, classes, ids });
const worlds = arbitraryAssets({ types, ids });

describe('well-typed predicates', () => {
  it('obey the laws of logic for not, and, or', () => {
    fc.assert(
      fc.property(worlds, texts, texts, (assets, a, b) => {
        const all = find('true', assets);
        const [whereA, whereB] = [find(a, assets), find(b, assets)];
        expect(find(`not (${a})`, assets)).toEqual(all.filter((id) => !whereA.includes(id)));
        expect(find(`(${a}) and (${b})`, assets)).toEqual(whereA.filter((id) => whereB.includes(id)));
        expect(find(`(${a}) or (${b})`, assets)).toEqual(
          all.filter((id) => whereA.includes(id) || whereB.includes(id)),
        );
        expect(find(`not (not (${a}) or not (${b}))`, assets)).toEqual(find(`(${a}) and (${b})`, assets));
      }),
      { numRuns: 200 },
    );
  });

  it('match some generated assets and not others, so that tests with them are meaningful', () => {
    const samples = fc.sample(fc.tuple(worlds, texts), { numRuns: 500, seed: 1 });
    const shares = samples.map(
      ([assets, text]) => find(text, assets).length / Math.max(1, find('true', assets).length),
    );
    const mixed = shares.filter((share) => share > 0 && share < 1);
    expect(mixed.length).toBeGreaterThan(100);
  });
});
