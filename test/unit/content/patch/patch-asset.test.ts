/** Patches of assets: which fields they change. */
import { describe, expect, it } from 'vitest';
import { readJsonPatch, readMergePatch } from '../../../../src/content/patch/patch-asset.ts';
import type { Json } from '../../../../src/model/content-type.ts';

describe('a merge patch', () => {
  // The examples of RFC 7396, appendix A, as the field of an asset.
  it.each<[Json, Json, Json]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('of %j by %j gives %j', (before, patch, after) => {
    expect(readMergePatch({ field: patch })({ field: before })).toEqual({ field: after });
  });

  it('changes the fields that become others, and clears those that it removes', () => {
    const asset = { _id: 'i', name: 'a', tags: ['x'], place: { city: 'Oslo', zip: '1' }, text: 't' };
    const patch = { name: 'a', tags: ['x'], place: { zip: null }, text: null, none: null };
    expect(readMergePatch(patch)(asset)).toEqual({ place: { city: 'Oslo' }, text: null });
    expect(asset.place).toEqual({ city: 'Oslo', zip: '1' });
  });

  it('has to be an object', () => {
    expect(() => readMergePatch(['a'])).toThrow('must be an object');
  });
});

describe('a JSON Patch', () => {
  it('changes the fields that become others', () => {
    const patch = readJsonPatch([
      { op: 'add', path: '/tags/-', value: 'y' },
      { op: 'move', from: '/place/zip', path: '/zip' },
      { op: 'remove', path: '/text' },
    ]);
    const asset = { name: 'a', tags: ['x'], place: { zip: '1' }, text: 't' };
    expect(patch(asset)).toEqual({ tags: ['x', 'y'], place: {}, zip: '1', text: null });
  });

  it('does not leave more than a body may have', () => {
    const filling = Array.from({ length: 60 }, (_, index) => ({
      op: 'copy',
      from: '/list',
      path: `/l${index}`,
    }));
    const list = Array.from({ length: 2_000 }, () => 1);
    expect(() => readJsonPatch(filling)({ list })).toThrow(/more than 100000 JSON values/);
    expect(() => readJsonPatch([{ op: 'replace', path: '', value: 1 }])({ list })).toThrow(
      'must leave an object',
    );
  });
});
