import { describe, expect, it } from 'vitest';
import {
  type ComparedType,
  compareAssets,
  compareField,
} from '../../../../src/admin/parts/difference/compare-values.ts';

type Field = ComparedType['fields'][number];

const field = (name: string, type: string, more: Partial<Field> = {}): Field => ({
  name,
  graphqlName: name,
  type: { kind: 'scalar', name: type },
  list: false,
  required: false,
  constraint: {},
  ...more,
});
const embedded = { type: { kind: 'embedded' as const, name: 'Place' } };
const type: ComparedType = {
  fields: [
    field('headline', 'String'),
    field('tags', 'String', { list: true }),
    field('slug', 'ID'),
    field('data', 'JSON'),
    field('place', 'Place', embedded),
    field('stops', 'Place', { ...embedded, list: true }),
    field('cms.content.updateDate', 'EpochMillis'),
  ],
  embeddedTypes: [{ name: 'Place', fields: [field('name', 'String'), field('country', 'ID')] }],
};
const asset = (members: object) => ({ _id: 'a', _type: 't', ...members });
const compare = (before: object | undefined, after: object | undefined) =>
  compareAssets(type, before && asset(before), after && asset(after)).map(({ name, difference }) => [
    name,
    difference,
  ]);

describe('the difference of two states', () => {
  it('lists fields in the order of the type, then those that the type does not have', () => {
    const changes = compareAssets(type, asset({ old: 1, slug: 'a' }), asset({ headline: 'x', slug: 'b' }));
    expect(changes.map(({ name, field }) => [name, field?.type.name])).toEqual([
      ['headline', 'String'],
      ['slug', 'ID'],
      ['old', undefined],
    ]);
  });

  it('leaves out equal fields and the date of the last change', () => {
    const values = { tags: ['a'], data: { b: 1, a: 2 } };
    const other = { tags: ['a'], data: { a: 2, b: 1 } };
    expect(
      compare({ ...values, 'cms.content.updateDate': 1 }, { ...other, 'cms.content.updateDate': 2 }),
    ).toEqual([]);
  });

  it('shows every field of an asset that was created or deleted', () => {
    expect(compare(undefined, { headline: 'x' })).toEqual([['headline', { kind: 'added', after: 'x' }]]);
    expect(compare({ headline: 'x' }, undefined)).toEqual([['headline', { kind: 'removed', before: 'x' }]]);
  });

  it('compares texts by words, and IDs as a whole', () => {
    expect(compare({ headline: 'a b', slug: 'a b' }, { headline: 'a c', slug: 'a c' })).toEqual([
      [
        'headline',
        {
          kind: 'text',
          parts: [
            { kind: 'same', text: 'a ' },
            { kind: 'removed', text: 'b' },
            { kind: 'added', text: 'c' },
          ],
        },
      ],
      ['slug', { kind: 'replaced', before: 'a b', after: 'a c' }],
    ]);
  });

  it('compares embedded values by their members, also in lists', () => {
    const country = { kind: 'replaced', before: 'DE', after: 'NL' };
    const before = { name: 'Bremen', country: 'DE' };
    const after = { name: 'Bremen', country: 'NL' };
    const members = [{ name: 'country', field: type.embeddedTypes[0]?.fields[1], difference: country }];
    expect(
      compare({ place: before, stops: [before, before] }, { place: after, stops: [before, after] }),
    ).toEqual([
      ['place', { kind: 'members', members }],
      [
        'stops',
        { kind: 'items', items: [{ same: 1 }, { position: 2, difference: { kind: 'members', members } }] },
      ],
    ]);
  });

  it('replaces a reference as a whole, and JSON stays JSON', () => {
    const [one, two] = [
      { _ref: '1', _type: 't' },
      { _ref: '2', _type: 't' },
    ];
    expect(compare({ other: one, data: [1] }, { other: two, data: { a: 1 } })).toEqual([
      ['data', { kind: 'json', before: [1], after: { a: 1 } }],
      ['other', { kind: 'replaced', before: one, after: two }],
    ]);
  });
});

it('compares two values of one field', () => {
  expect(compareField(type, 'slug', { before: undefined, after: 'a' })).toMatchObject({
    field: { name: 'slug' },
    difference: { kind: 'added', after: 'a' },
  });
});
