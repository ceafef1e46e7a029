import { expect, it } from 'vitest';
import { findConflicts } from '../../../src/admin/parts/difference/same-value.ts';

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
