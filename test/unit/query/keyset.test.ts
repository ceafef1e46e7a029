/** What comes after a position in an order: the segments, in their order, are all assets behind it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluatePredicate } from '../../../src/query/evaluate.ts';
import { absentPath, afterPosition, positionOf, toSegments } from '../../../src/query/keyset.ts';
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

test('a segment without values names their path', () => {
  const sort = bindSort(catalog, classes, [{ field: 'title', descending: false }]);
  const [absent, present] = toSegments(sort);
  expect(absent?.where && absentPath(absent.where)?.text).toBe('title');
  expect(present?.where && absentPath(present.where)).toBeUndefined();
});
