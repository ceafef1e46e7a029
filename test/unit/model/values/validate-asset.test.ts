import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import { type AssetValidator, createAssetValidators } from '../../../../src/model/values/validate-asset.ts';
import { catalogOf } from '../../../support/types.ts';

const uuid = '0190a0c0-0000-7000-8000-00000000abcd';
const catalog = catalogOf(`
  type Thing @contentType(class: "x.Thing") {
    name: String! @constraint(minLength: 2, maxLength: 4, pattern: "^\\\\p{L}")
    text: RichText
    whole: Int @constraint(min: -5, max: 5)
    real: Float
    yes: Boolean
    key: ID
    when: EpochMillis
    link: Url
    data: JSON
    color: Color
    other: Thing
    others: [Content!]
    tags: [String!] @constraint(minItems: 1, maxItems: 3)
    inner: Inner
    inners: [Inner!]
  }
  enum Color { RED GREEN }
  type Inner { need: String! inner: Inner dotted_name: Int @json(name: "dotted.name") }
`);

function validator(): AssetValidator {
  const found = createAssetValidators(catalog).get('x.Thing');
  if (!found) throw new Error('x.Thing has no validator');
  return found;
}

const problemsOf = (fields: JsonObject) =>
  validator()
    .checkNew({ name: 'abc', ...fields })
    .problems.map(({ path, message }) => `${path} ${message}`);

describe('a valid value is stored as', () => {
  const id = uuid.toUpperCase();
  const thingId = catalog.find('x.Thing')?.id ?? '';
  const reference = { _ref: uuid, _type: 'x.Thing' };
  const cases: [field: string, given: JsonObject[string], stored?: JsonObject[string]][] = [
    ['name', '𝒳bcd'],
    ['text', '<p>\u202Ehi‮ &amp; 𝒳</p>'],
    ['whole', -0, 0],
    ['real', 1e308],
    ['real', -0, 0],
    ['when', -8.64e15],
    ['link', 'https://example.org/ä?b=c#d'],
    ['data', { $where: [1, { 'a.b': null }], deep: { constructor: 'x' } }],
    ['color', 'GREEN'],
    ['other', { _ref: id, _type: thingId }, reference],
    [
      'others',
      [{ _ref: id, _type: 'com.colophon.cms.db.Site' }],
      [{ _ref: uuid, _type: 'com.colophon.cms.db.Site' }],
    ],
    [
      'inner',
      { need: 'x', 'dotted.name': 1, inner: { need: 'y' } },
      { need: 'x', inner: { need: 'y' }, 'dotted.name': 1 },
    ],
    ['inner', { need: 'x', inner: null }, { need: 'x' }],
  ];
  it.each(cases)('%s %j', (field, given, stored = given) => {
    const checked = validator().checkNew({ name: 'abc', [field]: given });
    expect(checked.problems).toEqual([]);
    expect(JSON.stringify(checked.set[field])).toBe(JSON.stringify(stored));
  });
});

describe('an invalid value is reported with its path and reason:', () => {
  const cases: [fields: JsonObject, problem: string][] = [
    [{ name: 1 }, 'name must be a string'],
    [{ name: 'a' }, 'name must have at least 2 characters'],
    [{ name: 'abcde' }, 'name must have at most 4 characters'],
    [{ name: '123' }, 'name must match ^\\p{L}'],
    [{ name: 'a\0b' }, 'name must not contain U+0000'],
    [{ text: '\ud800' }, 'text must not contain a lone surrogate'],
    [{ whole: 1.5 }, 'whole must be a whole number from -2147483648 to 2147483647'],
    [{ whole: 2 ** 31 }, 'whole must be a whole number from -2147483648 to 2147483647'],
    [{ whole: '5' }, 'whole must be a number'],
    [{ whole: -6 }, 'whole must be at least -5'],
    [{ real: Number.POSITIVE_INFINITY }, 'real must be a number'],
    [{ yes: 'true' }, 'yes must be true or false'],
    [
      { when: 1.5 },
      'when must be a whole number of milliseconds since 1970, from -8640000000000000 to 8640000000000000',
    ],
    [
      { when: 9e15 },
      'when must be a whole number of milliseconds since 1970, from -8640000000000000 to 8640000000000000',
    ],
    [{ link: '/relative' }, 'link must be an absolute URL'],
    [{ link: ' https://example.org' }, 'link must be an absolute URL'],
    [{ data: { a: ['\0'] } }, 'data must not contain U+0000'],
    [{ data: [Number.POSITIVE_INFINITY] }, 'data must hold finite numbers only'],
    [{ color: 'red' }, 'color must be one of RED, GREEN. Did you mean "RED"?'],
    [{ color: 'constructor' }, 'color must be one of RED, GREEN'],
    [{ other: uuid }, 'other must be a reference: {"_ref": …, "_type": …}'],
    [{ other: { _ref: 'x', _type: 'x.Thing' } }, 'other._ref must be a UUID'],
    [{ other: { _ref: uuid } }, 'other._type must be x.Thing'],
    [{ other: { _ref: uuid, _type: 'com.colophon.cms.db.Site' } }, 'other._type must be x.Thing'],
    [{ other: { _ref: uuid, _type: 'x.Thing', more: 1 } }, 'other.more is not a field of this type'],
    [{ tags: 'a' }, 'tags must be a list'],
    [{ tags: [] }, 'tags must not be empty'],
    [{ tags: ['a', 'b', 'c', 'd'] }, 'tags must have at most 3 items'],
    [{ tags: ['a', null] }, 'tags[1] must not be null'],
    [{ inner: {} }, 'inner.need is required'],
    [{ inners: [{ need: 'x' }, { need: 'x', extra: 1 }] }, 'inners[1].extra is not a field of this type'],
    [{ inner: [] }, 'inner must be an object'],
    [{ nam: 'x' }, 'nam is not a field of this type. Did you mean "name"?'],
    [{ 'inner.need': 'x' }, 'inner.need is not a field of this type'],
    [{ constructor: 'x' }, 'constructor is not a field of this type'],
    [{ $where: 'x' }, '$where is not a field of this type'],
    [JSON.parse('{"__proto__": {"name": "x"}}'), '__proto__ is not a field of this type'],
  ];
  it.each(cases)('%j', (fields, problem) => {
    expect(problemsOf(fields)).toEqual([problem]);
  });

  it('reports all problems of a body at once', () => {
    expect(problemsOf({ name: 'a', whole: 9, nope: 1, inner: { need: 2 } })).toEqual([
      'name must have at least 2 characters',
      'whole must be at most 5',
      'inner.need must be a string',
      'nope is not a field of this type',
    ]);
  });
});

describe('required fields', () => {
  it('are mandatory in a new asset', () => {
    expect(validator().checkNew({}).problems).toEqual([{ path: 'name', message: 'is required' }]);
    expect(validator().checkNew({ name: null }).problems).toEqual([{ path: 'name', message: 'is required' }]);
  });

  it('may be omitted from a change, but not cleared', () => {
    expect(validator().checkChanges({}).problems).toEqual([]);
    expect(validator().checkChanges({ name: null }).problems).toEqual([
      { path: 'name', message: 'is required' },
    ]);
  });

  it('differ from optional fields, which null clears', () => {
    const { set, unset, problems } = validator().checkChanges({ text: null, whole: 1 });
    expect({ set, unset, problems }).toEqual({ set: { whole: 1 }, unset: ['text'], problems: [] });
    expect(validator().checkNew({ name: 'abc', text: null }).set).toEqual({ name: 'abc' });
  });
});

it('finds every reference with its path', () => {
  const site = { _ref: uuid, _type: 'com.colophon.cms.db.Site' };
  const { references } = validator().checkNew({ name: 'abc', others: [site], 'cms.site.owner': site });
  expect(references).toEqual([
    { path: 'others[0]', reference: site },
    { path: 'cms.site.owner', reference: site },
  ]);
});

it('validates a list of a hundred thousand members', () => {
  const data = Array.from({ length: 200_000 }, (_, index) => index);
  expect(validator().checkNew({ name: 'abc', data }).problems).toEqual([]);
});

describe('a default', () => {
  const types = catalogOf(`
    type Book @contentType(class: "lib.Book") {
      title: String!
      pages: Int! @default(value: 100)
      tags: [String!] @default(value: ["new"])
      place: Place
    }
    type Place { city: String! @default(value: "Oslo") street: String }
  `);
  const book = createAssetValidators(types).get('lib.Book');

  it('is the value of a field that a new asset omits', () => {
    const { set, problems } = book?.checkNew({ title: 'A' }) ?? {};
    expect([set, problems]).toEqual([{ title: 'A', pages: 100, tags: ['new'] }, []]);
    expect(book?.checkNew({ title: 'A', pages: 1, tags: [] }).set).toEqual({
      title: 'A',
      pages: 1,
      tags: [],
    });
  });

  it('is a new value each time', () => {
    const [one, other] = [book?.checkNew({ title: 'A' }).set.tags, book?.checkNew({ title: 'B' }).set.tags];
    expect(one).toEqual(other);
    expect(one).not.toBe(other);
  });

  it('does not replace null, which leaves an optional field without a value', () => {
    expect(book?.checkNew({ title: 'A', tags: null })).toMatchObject({
      set: { title: 'A', pages: 100 },
      unset: ['tags'],
      problems: [],
    });
    expect(book?.checkNew({ title: 'A', pages: null }).problems).toEqual([
      { path: 'pages', message: 'is required' },
    ]);
  });

  it('is the value of a field that a new embedded value omits, also in an update', () => {
    const place = { street: 'Main' };
    expect(book?.checkChanges({ place }).set).toEqual({ place: { city: 'Oslo', street: 'Main' } });
    expect(book?.checkNew({ title: 'A', place }).set.place).toEqual({ city: 'Oslo', street: 'Main' });
  });

  it('is not applied to the other fields of an update, nor to what is stored', () => {
    expect(book?.checkChanges({ title: 'B' })).toMatchObject({ set: { title: 'B' }, problems: [] });
    expect(book?.checkStored({ title: 'B', place: {} }).problems).toEqual([
      { path: 'pages', message: 'is required' },
      { path: 'place.city', message: 'is required' },
    ]);
  });
});
