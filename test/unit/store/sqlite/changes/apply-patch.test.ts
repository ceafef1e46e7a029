import { expect, test } from 'vitest';
import { applyPatch, findChanges, omit } from '../../../../../src/store/sqlite/changes/apply-patch.ts';

const patch = (former: object, set: object, unset: string[] = []) =>
  applyPatch(JSON.stringify({ _id: 'a', _type: 't', ...former }), JSON.stringify({ set, unset }));

test('a patch sets and removes fields and keeps the order of the others', () => {
  const { asset } = patch({ a: 1, b: 2, c: 3 }, { d: 4, b: 5 }, ['a', 'x']);
  expect(JSON.stringify(asset)).toBe('{"_id":"a","_type":"t","b":5,"c":3,"d":4}');
});

test('only fields with another value have changed, and only former values are kept', () => {
  const former = { a: 1, b: [1, { c: 2 }], d: { e: 1 }, f: null, g: '1' };
  const set = { a: 1, b: [1, { c: 2 }], d: { e: 2 }, f: 0, g: 1, h: null };
  expect(findChanges(patch(former, set, ['i']))).toEqual({
    changed: ['d', 'f', 'g', 'h'],
    before: { d: { e: 1 }, f: null, g: '1' },
  });
});

test('a field that a patch sets and removes is removed', () => {
  expect(findChanges(patch({ a: 1 }, { a: 2, b: 2 }, ['a', 'b']))).toEqual({
    changed: ['a'],
    before: { a: 1 },
  });
});

test('names that every object inherits are fields like others', () => {
  const { changed, before } = findChanges(patch({}, { constructor: 'x', hasOwnProperty: 1 }, ['toString']));
  expect([changed, before]).toEqual([['constructor', 'hasOwnProperty'], {}]);
  const named = JSON.parse('{"__proto__": {"a": 1}, "b": 2}');
  expect(JSON.stringify(omit(named, ['b']))).toBe('{"__proto__":{"a":1}}');
});
