/** Entries of the change log: the patch that a row keeps, and the `_id` that it is stored by. */

import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { applyPatch, findChanges, omit } from '../../../../../src/store/sqlite/changes/apply-patch.ts';
import {
  fromStoredId,
  storedIdText,
  toStoredId,
} from '../../../../../src/store/sqlite/changes/log-writer.ts';

describe('the patch of an entry', () => {
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
});

describe('the stored _id', () => {
  const database = new DatabaseSync(':memory:');
  const select = database.prepare(`SELECT ${storedIdText} AS text FROM (SELECT ?1 AS asset)`);
  const read = (id: string) => fromStoredId(String(select.get(toStoredId(id))?.text));

  test('a UUID is stored as 16 bytes', () => {
    expect(toStoredId('0190a0c0-0000-7000-8000-00000000abcd')).toHaveLength(16);
  });

  test.each([
    '0190a0c0-0000-7000-8000-00000000abcd',
    '0190A0C0-0000-7000-8000-00000000ABCD',
    '0190a0c0000070008000000000000000',
    'u0190a0c0',
    'text é 😀',
    '',
  ])('%j is read as it was written', (id) => {
    expect(read(id)).toBe(id);
  });
});
