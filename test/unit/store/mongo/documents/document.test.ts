/** Documents contain assets exactly, nested along MongoDB's paths, and the words of their texts. */
import fc from 'fast-check';
import { BSON } from 'mongodb';
import { describe, expect, test } from 'vitest';
import type { Asset, ContentType } from '../../../../../src/model/content-type.ts';
import {
  type AssetDocument,
  fromDocument,
  toDocument,
  toUpdate,
} from '../../../../../src/store/mongo/documents/document.ts';
import { arbitraryAsset } from '../../../../support/assets.ts';
import { libraryCatalog } from '../../../../support/catalog.ts';
import { catalogOf } from '../../../../support/types.ts';

const book = typeOf(libraryCatalog(), 'library.Book');
const thing = typeOf(
  catalogOf(`
    type Thing @contentType(class: "t.Thing") {
      title: String
      text: RichText
      extra: JSON
      extras: [JSON!]
      part: Part
      parts: [Part!]
      a_b_c: String @json(name: "a.b.c")
      a_b_d: Int @json(name: "a.b.d")
      constructor: String
      toJSON: String
      toBSON: String
      length: Int
    }
    type Part { name: String part_number: Int @json(name: "part.number") part_maker: String @json(name: "part.maker") }
  `),
  't.Thing',
);
const identity = { _id: '0191f3a0-5b7e-7c11-9d2e-000000000001', _type: 't.Thing' };

function typeOf({ types }: ReturnType<typeof catalogOf>, name: string): ContentType {
  return types.get(name) ?? expect.fail(`no type ${name}`);
}

/** Converts an asset to BSON and back; returns JSON text, which also shows the order of members. */
function roundTrip(asset: Asset, type: ContentType): string {
  const bytes = BSON.serialize(toDocument({ asset, version: 'v' }, type));
  const stored = fromDocument(BSON.deserialize(bytes) as AssetDocument);
  expect(stored.version).toBe('v');
  return JSON.stringify(stored.asset);
}

describe('an asset is read back unchanged', () => {
  test('with values of every kind', () => {
    const assets = arbitraryAsset({
      type: book,
      ids: [identity._id],
      references: [
        { _ref: identity._id, _type: 'library.Person' },
        { _ref: identity._id, _type: 'library.Company' },
      ],
    });
    fc.assert(
      fc.property(assets, (asset) => {
        expect(roundTrip(asset, book)).toBe(JSON.stringify(asset));
      }),
    );
  });

  test.each([
    [
      'names of the database and of JavaScript in JSON',
      '{"$where":1,"a.b":{"$set":2},"":3,"__proto__":{"x":1}}',
    ],
    ['JSON that looks like a stored one', '{"_colophon":"1","a":{"_colophon":["a"]}}'],
    ['JSON nested deeper than any document', `${'['.repeat(300)}1${']'.repeat(300)}`],
    ['JSON null', 'null'],
  ])('%s', (_, json) => {
    const extra = JSON.parse(json);
    const asset = { ...identity, extra, extras: [extra, [extra]] };
    expect(roundTrip(asset, thing)).toBe(JSON.stringify(asset));
  });

  test('with its members in their order, with and without dots', () => {
    const asset = {
      'a.b.d': 1,
      constructor: 'x',
      part: { 'part.maker': 'm', name: 'n', 'part.number': 2 },
      _type: identity._type,
      toBSON: 'y',
      'a.b.c': 'z',
      parts: [{}, { 'part.number': 1, 'part.maker': 'o' }],
      toJSON: 'w',
      length: 0,
      _id: identity._id,
    };
    expect(roundTrip(asset, thing)).toBe(JSON.stringify(asset));
  });
});

test('names with dots are nested', () => {
  const asset = { ...identity, 'a.b.c': 'x', 'a.b.d': 1 };
  expect(toDocument({ asset, version: 'v' }, thing)).toMatchObject({ a: { b: { c: 'x', d: 1 } } });
});

test('an empty parent, left by a removed member, is ignored', () => {
  const document = toDocument({ asset: { ...identity, 'a.b.c': 'x' }, version: 'v' }, thing);
  expect(fromDocument({ ...document, a: { b: {} } }).asset).toEqual(identity);
});

test('a name that the content type does not have is refused', () => {
  const asset = { ...identity, $where: '1' };
  expect(() => toDocument({ asset, version: 'v' }, thing)).toThrow(/no field "\$where"/);
});

describe('words', () => {
  test('are stored beside their texts, distinct and folded', () => {
    const asset = {
      ...identity,
      title: 'B a, B!',
      text: '<b>B</b>&eacute;',
      extra: 'no words',
      part: { name: '—' },
      parts: [{ name: 'X' }, {}, { 'part.maker': 'Y z' }],
      'a.b.c': 'D',
      'a.b.d': 4,
    };
    expect(toDocument({ asset, version: 'v' }, thing)._colophon.index).toEqual({
      _id: ' 0191f3a0 5b7e 7c11 9d2e 000000000001 ',
      title: ' b a ',
      text: ' be ',
      parts: [{ name: ' x ' }, { part: { maker: ' y z ' } }],
      a: { b: { c: ' d ' } },
    });
  });

  test('are updated by a patch', () => {
    const patch = { id: identity._id, type: identity._type, version: 'w' };
    expect(toUpdate({ ...patch, set: { title: 'Foo', 'a.b.c': '' }, unset: ['text'] }, thing)).toEqual({
      $set: { '_colophon.version': 'w', title: 'Foo', '_colophon.index.title': ' foo ', 'a.b.c': '' },
      $addToSet: { '_colophon.names': { $each: ['title', 'a.b.c'] } },
      $unset: { '_colophon.index.a.b.c': true, text: true, '_colophon.index.text': true },
    });
  });

  test('of searchable fields are listed, those of a list with the words of each item', () => {
    const type = typeOf(
      catalogOf(`type T @contentType(class: "t.T") { a: String @searchable b: [String!] @searchable c: [Part!] }
        type Part { d: RichText @searchable }`),
      't.T',
    );
    const long = 'x'.repeat(65);
    const many = Array.from({ length: 10_001 }, (_, n) => `w${n}`).join(' ');
    const wordsOf = (fields: object) =>
      toDocument({ asset: { _id: '', _type: 't.T', ...fields }, version: 'v' }, type)._colophon.index;
    expect(wordsOf({ a: 'B a B', b: ['A c', '—', 'C'], c: [{ d: '<i>E</i> e' }, {}] })).toEqual({
      a: ['b', 'a'],
      b: ['\t a c ', '\t c ', 'a', 'c'],
      c: [{ d: ['e'] }],
    });
    expect(wordsOf({ a: long })).toEqual({ a: [expect.stringMatching(/^.{64}[0-9a-f]{64}$/)] });
    expect(wordsOf({ a: many, b: ['—'] })).toEqual({ a: expect.stringMatching(/^ w0 w1 .* w10000 $/) });
    const patch = { id: '', type: 't.T', version: 'w', set: { a: 'D', b: [] }, unset: [] };
    expect(toUpdate(patch, type)).toMatchObject({
      $set: { '_colophon.index.a': ['d'] },
      $unset: { '_colophon.index.b': true },
    });
  });
});
