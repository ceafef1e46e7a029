/** What comes after a position in an order: the segments, in their order, are all assets behind it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BoundPredicate } from '../../../src/query/ast.ts';
import { evaluatePredicate } from '../../../src/query/evaluate.ts';
import { advance, afterPosition, positionOf, toSegments } from '../../../src/query/keyset.ts';
import { bindSort, compareBySort } from '../../../src/query/sort.ts';
import { arbitraryAssets } from '../../support/assets.ts';
import { libraryCatalog } from '../../support/catalog.ts';
import { arbitrarySort } from '../../support/sorts.ts';

const catalog = libraryCatalog();
const classes = ['library.Book'];
const ids = Array.from({ length: 12 }, (_, n) => `0191f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`);
const types = classes.flatMap((name) => catalog.types.get(name) ?? []);

test('the segments after a position contain the following assets in order', () => {
  const worlds = fc.record({
    assets: arbitraryAssets({ types, ids }),
    keys: arbitrarySort({ catalog, classes }),
  });
  fc.assert(
    fc.property(worlds, ({ assets, keys }) => {
      const sort = bindSort(catalog, classes, keys);
      const sorted = assets.toSorted(compareBySort(sort));
      for (const n of [-1, ...sorted.keys()]) {
        const at = sorted[n];
        const after = at && positionOf(at, sort);
        const found = toSegments(sort, after).flatMap(({ where, sort: rest }) =>
          sorted
            .filter(
              (asset) => !where || evaluatePredicate({ predicate: where, asset, resolve: () => undefined }),
            )
            .toSorted(compareBySort(rest)),
        );
        expect(found).toEqual(sorted.slice(n + 1));
        if (!after) continue;
        for (const next of sorted.slice(n + 1)) {
          const to = positionOf(next, sort);
          expect(advance(sort, { from: after, to })).toBe(to);
          expect(() => advance(sort, { from: to, to: after })).toThrow('moved back');
        }
        expect(() => advance(sort, { from: after, to: after })).toThrow('moved back');
        const predicate = afterPosition(sort, after);
        const behind = sorted.filter((asset) =>
          evaluatePredicate({ predicate, asset, resolve: () => undefined }),
        );
        expect(behind).toEqual(sorted.slice(n + 1));
      }
    }),
    { numRuns: 100 },
  );
});

test('a segment has one range of the first key that it sorts by', () => {
  const keys = ['genre', 'title', '_type'].map((field) => ({ field, descending: false }));
  const sort = bindSort(catalog, classes, keys);
  const segments = toSegments(sort, ['NOVEL', 'Emma', 'library.Book', ids[3] ?? '']);
  const shown = segments.map(({ where, sort: rest, fixed }) => ({
    fixed: fixed.length,
    next: rest[0]?.path.text,
    ranges: where && termsOf(where).flatMap((term) => (term.kind === 'compare' ? term.path.text : [])),
  }));
  expect(shown).toEqual([
    { fixed: 3, next: '_id', ranges: ['_id'] },
    { fixed: 2, next: '_type', ranges: ['_type'] },
    { fixed: 1, next: 'title', ranges: ['title'] },
    { fixed: 0, next: 'genre', ranges: ['genre'] },
  ]);
});

const termsOf = (where: BoundPredicate) => (where.kind === 'and' ? where.terms : [where]);
