/** The names of a renamed field count as one: in members, inside embedded values and lists, and in the entries of the change log. */
import { expect, it } from 'vitest';
import type { Asset } from '../../../src/model/content-type.ts';
import type { RenamedField } from '../../../src/store/backfill-calls.ts';
import { undoChange } from '../../../src/store/changes.ts';
import { createRenameSpreaders } from '../../../src/store/spread-renamed.ts';

const type = 'x.Note';
const renamed = (path: string, name: string): RenamedField => ({ type, path: path.split('/'), name });
const spreaderOf = (...fields: RenamedField[]) => createRenameSpreaders(fields)(type);

it('fills the missing name, in the place of the other one', () => {
  const { members } = spreaderOf(renamed('mail', 'email'));
  expect(JSON.stringify(members({ a: 1, mail: 'x', b: 2 }))).toBe('{"a":1,"mail":"x","email":"x","b":2}');
  expect(members({ email: null })).toEqual({ mail: null, email: null });
  expect(members({ a: 1 })).toEqual({ a: 1 });
});

it.each([
  [undefined, { mail: 'old', email: 'new' }],
  ['former', { mail: 'old', email: 'old' }],
  ['present', { mail: 'new', email: 'new' }],
] as const)('keeps or unites two values, when %s is preferred', (prefer, expected) => {
  const { members } = spreaderOf(renamed('mail', 'email'));
  expect(members({ email: 'new', mail: 'old' }, prefer)).toEqual(expected);
});

it('spreads fields inside renamed and other embedded values and lists of them, whatever the order of the fields', () => {
  const fields = [
    renamed('stops/place/city', 'town'),
    renamed('place/city', 'town'),
    renamed('place', 'site'),
  ];
  const site = { city: 'Oslo', town: 'Oslo', zip: 1 };
  for (const order of [fields, fields.toReversed()]) {
    const { members } = spreaderOf(...order);
    expect(members({ site: { town: 'Oslo', zip: 1 } })).toEqual({ place: site, site });
    expect(members({ place: { city: 'Oslo', zip: 1 } })).toEqual({ place: site, site });
    expect(members({ stops: [{ place: { town: 'Oslo', zip: 1 } }, null, { n: 1 }] })).toEqual({
      stops: [{ place: site }, null, { n: 1 }],
    });
  }
});

it('treats all names of a field that was renamed twice as one', () => {
  for (const fields of [
    [renamed('a', 'b'), renamed('b', 'c')],
    [renamed('b', 'c'), renamed('a', 'b')],
    [renamed('a', 'c'), renamed('b', 'c')],
  ]) {
    const { members, names } = spreaderOf(...fields);
    expect(members({ b: 1 })).toEqual({ a: 1, b: 1, c: 1 });
    expect(members({ a: 1, c: 3 }, 'present')).toEqual({ a: 3, b: 3, c: 3 });
    expect(names(['c', 'd']).toSorted()).toEqual(['a', 'b', 'c', 'd']);
  }
});

it('leaves other classes, and awkward names, as they are', () => {
  const spreaders = createRenameSpreaders([renamed('constructor', '__proto__')]);
  const asset = { constructor: 'x' };
  expect(spreaders('x.Other').members(asset)).toBe(asset);
  expect(spreaders('x.Other').names(['constructor'])).toEqual(['constructor']);
  expect(Object.entries(spreaders(type).members(asset))).toEqual([
    ['constructor', 'x'],
    ['__proto__', 'x'],
  ]);
});

it('undoes an entry under one name of a field for all its names', () => {
  const renames = createRenameSpreaders([renamed('mail', 'email')]);
  const own = { _id: 'n', _type: type };
  const after: Asset = { ...own, mail: 'y', email: 'y', title: 't' };
  const undo = (changed: string[], before?: Record<string, string>) =>
    undoChange(after, { action: 'update', changed, ...(before && { before }) }, renames);
  expect(undo(['mail'], { mail: 'x' })).toEqual({ ...own, mail: 'x', title: 't' });
  expect(undo(['email'], { email: 'x' })).toEqual({ ...own, email: 'x', title: 't' });
  expect(undo(['mail', 'email'])).toEqual({ ...own, title: 't' });
  expect(undo(['title'], { title: 's' })).toEqual({ ...after, title: 's' });
  expect(undoChange(after, { action: 'update', changed: ['mail'], before: { mail: 'x' } })).toEqual({
    ...after,
    mail: 'x',
  });
});
