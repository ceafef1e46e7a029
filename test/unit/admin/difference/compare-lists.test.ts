import { expect, it } from 'vitest';
import { compareLists } from '../../../../src/admin/parts/difference/compare-lists.ts';

it('finds added and removed items', () => {
  expect(compareLists(['a', 'b', 'c'], ['b', 'c', 'd'])).toEqual([
    { kind: 'removed', position: 1, before: 'a' },
    { kind: 'same', count: 2 },
    { kind: 'added', position: 3, after: 'd' },
  ]);
});

it('pairs an item with the one that replaces it, and lists what is left over', () => {
  expect(compareLists(['a', 'b', 'c', 'z'], ['x', 'z'])).toEqual([
    { kind: 'changed', position: 1, before: 'a', after: 'x' },
    { kind: 'removed', position: 2, before: 'b' },
    { kind: 'removed', position: 3, before: 'c' },
    { kind: 'same', count: 1 },
  ]);
  expect(compareLists(['z', 'a'], ['z', 'x', 'y'])).toEqual([
    { kind: 'same', count: 1 },
    { kind: 'changed', position: 2, before: 'a', after: 'x' },
    { kind: 'added', position: 3, after: 'y' },
  ]);
});

it('compares objects by their members, in any order', () => {
  expect(compareLists([{ a: 1, b: 2 }], [{ b: 2, a: 1 }])).toEqual([{ kind: 'same', count: 1 }]);
});

it('lists every item of long lists with nothing in common', () => {
  const before = Array.from({ length: 600 }, (_, index) => `a${index}`);
  const changes = compareLists(before, ['x']);
  expect(changes).toHaveLength(600);
  expect(changes[0]).toEqual({ kind: 'changed', position: 1, before: 'a0', after: 'x' });
});
