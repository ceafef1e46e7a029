import { describe, expect, it } from 'vitest';
import { isDomainError } from '../../../src/base/errors.ts';
import { assertMergeable } from '../../../src/content/merge-changes.ts';
import type { Asset, JsonObject } from '../../../src/model/content-type.ts';

const site = { _ref: '0190a0c0-0000-7000-8000-00000000000a', _type: 'com.colophon.cms.db.Site' };
const asset = (fields: JsonObject): Asset => ({ _id: 'a', _type: 'T', ...fields });

interface Case {
  readonly base: JsonObject;
  readonly theirs: JsonObject;
  readonly set?: JsonObject;
  readonly unset?: readonly string[];
}

/** Returns the conflicts of a merge. */
function conflictsOf({ base, theirs, set = {}, unset = [] }: Case) {
  try {
    const present = { asset: asset(theirs), version: 'v2' };
    assertMergeable({ base: asset(base), present, write: { set, unset } }, {});
    return [];
  } catch (error) {
    if (isDomainError(error, 'edit_conflict')) return error.details.conflicts;
    throw error;
  }
}

describe('a field conflicts', () => {
  it('when both have changed it to different values', () => {
    expect(conflictsOf({ base: { a: 1 }, theirs: { a: 2 }, set: { a: 3 } })).toEqual([
      { path: 'a', base: 1, theirs: 2, yours: 3 },
    ]);
  });

  it('when the update sets it back to the base value', () => {
    expect(conflictsOf({ base: { a: 1 }, theirs: { a: 2 }, set: { a: 1 } })).toEqual([
      { path: 'a', base: 1, theirs: 2, yours: 1 },
    ]);
  });

  it('when both have added it, and there is no base value', () => {
    expect(conflictsOf({ base: {}, theirs: { a: 2 }, set: { a: 3 } })).toEqual([
      { path: 'a', theirs: 2, yours: 3 },
    ]);
  });

  it('when others have removed it', () => {
    expect(conflictsOf({ base: { a: 1 }, theirs: {}, set: { a: 3 } })).toEqual([
      { path: 'a', base: 1, yours: 3 },
    ]);
  });

  it('when the update removes what others have changed', () => {
    expect(conflictsOf({ base: { a: 1 }, theirs: { a: 2 }, unset: ['a'] })).toEqual([
      { path: 'a', base: 1, theirs: 2 },
    ]);
  });

  it('as a whole, although others have changed another part of it', () => {
    const [base, theirs, yours] = [
      { x: 1, y: 1 },
      { x: 2, y: 1 },
      { x: 1, y: 2 },
    ];
    expect(conflictsOf({ base: { a: base }, theirs: { a: theirs }, set: { a: yours } })).toEqual([
      { path: 'a', base, theirs, yours },
    ]);
  });

  it('once for each of several fields', () => {
    const found = conflictsOf({
      base: { a: 1, b: 1, c: 1 },
      theirs: { a: 2, b: 2, c: 1 },
      set: { a: 3, c: 3 },
      unset: ['b'],
    });
    expect(found.map(({ path }) => path)).toEqual(['a', 'b']);
  });
});

describe('a field does not conflict', () => {
  it.each<[when: string, Case]>([
    ['only the update has changed it', { base: { a: 1 }, theirs: { a: 1 }, set: { a: 2 } }],
    ['only others have changed it', { base: { a: 1, b: 1 }, theirs: { a: 2, b: 1 }, set: { b: 2 } }],
    ['both have set the same value', { base: { a: 1 }, theirs: { a: 2 }, set: { a: 2 } }],
    [
      'both have set the same value, with members in another order',
      { base: {}, theirs: { a: { x: 1, y: [2] } }, set: { a: { y: [2], x: 1 } } },
    ],
    ['both have removed it', { base: { a: 1 }, theirs: {}, unset: ['a'] }],
    [
      'it is the date of the update',
      {
        base: { 'cms.content.updateDate': 1 },
        theirs: { 'cms.content.updateDate': 2 },
        set: { 'cms.content.updateDate': 3 },
      },
    ],
  ])('when %s', (_when, merge) => {
    expect(conflictsOf(merge)).toEqual([]);
  });
});

describe('a base is refused as not known', () => {
  const present = { asset: asset({ 'cms.site.owner': site }), version: 'v2' };
  const write = { set: {}, unset: [] };

  it.each<[name: string, base: Asset | undefined]>([
    ['when the log does not have it', undefined],
    ['when the asset had another type', { ...asset({ 'cms.site.owner': site }), _type: 'U' }],
    ['when the caller could not see it then', asset({})],
  ])('%s', (_name, base) => {
    const merge = () => assertMergeable({ base, present, write }, { sites: [site._ref] });
    expect(merge).toThrow(expect.objectContaining({ code: 'precondition_failed' }));
  });
});
