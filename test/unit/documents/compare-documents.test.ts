/** The differences between OpenAPI documents, for clients that were written for the first one. */
import { describe, expect, it } from 'vitest';
import { compareDocuments } from '../../../src/documents/compare-documents.ts';
import { bundleDocument, readCmaDocument } from '../../../src/documents/openapi-document.ts';
import type { JsonObject } from '../../../src/model/content-type.ts';
import { catalogOf } from '../../support/types.ts';

/** The CMA's document for one type with these fields, which is a JSON object. */
const documentOf = (fields: string) =>
  bundleDocument({
    source: readCmaDocument(),
    catalog: catalogOf(`
      enum Level { LOW HIGH }
      enum Wider { LOW HIGH HUGE }
      type Place { city: String }
      type NewPlace { city: String! }
      type Item @contentType(class: "t.Item") { kept: String ${fields} }
      type Other @contentType(class: "t.Other") { kept: String places: [Place!] more: NewPlace }`),
  }) as unknown as JsonObject;

const changesOf = (before: JsonObject, after: JsonObject) =>
  compareDocuments(before, after).map(({ severity, place, message }) => `${severity} ${place} ${message}`);

describe('the documents of content types', () => {
  it.each([
    ['a: String', 'a: String', []],
    ['', 'a: String', ['safe Item.a is new', 'safe ItemCreate.a is new', 'safe ItemUpdate.a is new']],
    [
      'a: String',
      '',
      ['breaking Item.a is removed', 'breaking ItemCreate.a is removed', 'breaking ItemUpdate.a is removed'],
    ],
    [
      '',
      'a: String!',
      ['safe Item.a is new', 'breaking ItemCreate.a is new and required', 'safe ItemUpdate.a is new'],
    ],
    [
      'a: String',
      'a: String!',
      [
        'safe Item.a is required, and was optional',
        'breaking ItemCreate.a is required, and was optional',
        'breaking ItemCreate.a may no longer be null',
        'breaking ItemUpdate.a may no longer be null',
      ],
    ],
    [
      'a: String!',
      'a: String',
      [
        'breaking Item.a is optional, and was required',
        'safe ItemCreate.a is optional, and was required',
        'safe ItemCreate.a may be null',
        'safe ItemUpdate.a may be null',
      ],
    ],
    [
      'a: Int!',
      'a: Float!',
      ['breaking Item.a may be number', 'safe ItemCreate.a may be number', 'safe ItemUpdate.a may be number'],
    ],
    ['a: [Int!]!', 'a: Int!', ['safe Item.a may no longer be array', 'breaking Item.a may be integer']],
    ['a: Level', 'a: Wider', ['attention Level has the new value HUGE', 'safe Level has the new value HUGE']],
    [
      'a: Wider',
      'a: Level',
      ['safe Wider no longer has the value HUGE', 'breaking Wider no longer has the value HUGE'],
    ],
    [
      'a: String!',
      'a: String! @constraint(maxLength: 5)',
      [
        'safe Item.a has maxLength 5, and had none',
        'breaking ItemCreate.a has maxLength 5, and had none',
        'breaking ItemUpdate.a has maxLength 5, and had none',
      ],
    ],
  ])('%s -> %s', (before, after, expected) => {
    expect(changesOf(documentOf(before), documentOf(after)).sort()).toEqual(expect.arrayContaining(expected));
    if (expected.length === 0) expect(changesOf(documentOf(before), documentOf(after))).toEqual([]);
  });

  it('reports a removed type for reads and for writes', () => {
    const without = bundleDocument({
      source: readCmaDocument(),
      catalog: catalogOf('type Other @contentType(class: "t.Other") { kept: String }'),
    }) as unknown as JsonObject;
    const withItem = documentOf('');
    expect(changesOf(withItem, without)).toEqual(
      expect.arrayContaining([
        'breaking Asset no longer has t.Item',
        'breaking AssetCreate no longer has t.Item',
        'breaking Other.places is removed',
      ]),
    );
    expect(changesOf(without, withItem)).toContain('safe Asset also has t.Item');
  });
});

describe('operations', () => {
  const operation = (members: JsonObject): JsonObject => ({
    openapi: '3.1.0',
    paths: { '/a': { get: { responses: { 200: {} }, ...members } } },
  });
  const parameter = (members: JsonObject) =>
    operation({ parameters: [{ name: 'n', in: 'query', schema: { type: 'string' }, ...members }] });
  const inPath = (name: string): JsonObject => ({
    paths: {
      [`/a/{${name}}`]: {
        get: { parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }] },
      },
    },
  });

  it.each([
    [operation({}), { paths: {} }, ['breaking GET /a is removed']],
    [{ paths: {} }, operation({}), ['safe GET /a is new']],
    [operation({}), parameter({}), ['safe GET /a query parameter n is new']],
    [operation({}), parameter({ required: true }), ['breaking GET /a query parameter n is new and required']],
    [
      parameter({}),
      parameter({ required: true }),
      ['breaking GET /a query parameter n is required, and was optional'],
    ],
    [parameter({}), operation({}), ['breaking GET /a query parameter n is removed']],
    [parameter({ in: 'header' }), operation({}), ['attention GET /a header parameter n is removed']],
    [operation({ requestBody: {} }), operation({}), ['breaking GET /a body is removed']],
    [inPath('id'), inPath('slug'), []],
    [
      parameter({}),
      parameter({ schema: { type: 'integer' } }),
      [
        'breaking GET /a query parameter n may no longer be string',
        'safe GET /a query parameter n may be integer',
      ],
    ],
  ])('%j -> %j', (before, after, expected) => {
    expect(changesOf(before, after)).toEqual(expected);
  });
});
