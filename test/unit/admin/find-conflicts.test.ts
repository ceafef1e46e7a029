import { describe, expect, it } from 'vitest';
import { findConflicts, mergeParts } from '../../../src/admin/parts/difference/same-value.ts';

const asset = <Members extends object>(members: Members) => ({ _id: 'a', _type: 't', ...members });
const base = asset({ one: 1, two: [1, 2], three: { a: 1 }, 'cms.content.updateDate': 1 });

it('finds no conflict when they have changed other fields', () => {
  const theirs = asset({ ...base, two: [2], three: undefined, 'cms.content.updateDate': 2 });
  expect(findConflicts({ base, theirs, body: { one: 5, 'cms.content.updateDate': 3 } })).toEqual({
    conflicts: [],
    others: ['two', 'three'],
  });
});

it('finds a conflict when both have changed a field to different values, also when one has cleared it', () => {
  const { one: _, ...withoutOne } = base;
  const theirs = asset({ ...withoutOne, three: { a: 2 }, four: 4 });
  expect(findConflicts({ base, theirs, body: { one: 5, three: null, two: null } })).toEqual({
    conflicts: [
      { name: 'one', base: 1, theirs: undefined, mine: 5 },
      { name: 'three', base: { a: 1 }, theirs: { a: 2 }, mine: undefined },
    ],
    others: ['four'],
  });
});

it('finds no conflict when both have made the same change', () => {
  const { one: _, ...withoutOne } = base;
  const theirs = asset({ ...withoutOne, three: { b: 1, a: 1 } });
  expect(findConflicts({ base, theirs, body: { one: null, three: { a: 1, b: 1 } } })).toEqual({
    conflicts: [],
    others: [],
  });
});

describe('merging lists of parts', () => {
  const part = (id: string, value = 0) => ({ id, value });
  const merge = (given: Record<'base' | 'theirs' | 'mine', readonly ReturnType<typeof part>[]>) =>
    mergeParts({ ...given, idOf: ({ id }) => id, isSame: (one, other) => one.value === other.value });

  it('keeps what each has changed, added and removed', () => {
    expect(
      merge({
        base: [part('a'), part('b'), part('c'), part('d')],
        theirs: [part('a', 1), part('b'), part('d'), part('theirs')],
        mine: [part('mine'), part('a'), part('b', 2), part('c')],
      }),
    ).toEqual([part('mine'), part('a', 1), part('b', 2), part('theirs')]);
  });

  it('finds nothing where both have changed a part, unless in the same way', () => {
    const base = [part('a')];
    expect(merge({ base, theirs: [part('a', 1)], mine: [part('a', 2)] })).toBeUndefined();
    expect(merge({ base, theirs: [], mine: [part('a', 2)] })).toBeUndefined();
    expect(merge({ base, theirs: [part('a', 1)], mine: [] })).toBeUndefined();
    expect(merge({ base, theirs: [part('a', 1)], mine: [part('a', 1)] })).toEqual([part('a', 1)]);
    expect(merge({ base, theirs: [], mine: [] })).toEqual([]);
  });
});
