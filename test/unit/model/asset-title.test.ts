import { describe, expect, it } from 'vitest';
import { findTitlePath, titleOf } from '../../../src/model/asset-title.ts';
import { catalogOf, typeProblems } from '../../support/types.ts';

const texts =
  'type Texts { en: String de_x: String @json(name: "de.x") all: [String!] deep: Texts many: [Texts!] }';

const titlePathOf = (fields: string) => {
  const type = catalogOf(`type Page @contentType(class: "t.Page") { ${fields} } ${texts}`).find('t.Page');
  return type && findTitlePath(type)?.text;
};

it('is read from an embedded value, and else the ID', () => {
  const sdl = `type Page @contentType(class: "t.Page") { a_b: Texts @json(name: "a.b") @title(path: "de.x") } ${texts}`;
  const type = catalogOf(sdl).find('t.Page');
  const page = { _id: 'i', _type: 't.Page' };
  const found = [{ 'de.x': 'Titel' }, { 'de.x': ' ' }, {}, null, 'x'].map((value) =>
    titleOf({ ...page, 'a.b': value }, type),
  );
  expect(found).toEqual(['Titel', 'i', 'i', 'i', 'i']);
});

describe('the field that names the assets of a type', () => {
  it.each([
    ['the one with @title', 'name: String! label: String @title', 'label'],
    ['a text in its embedded value', 'name: String! texts: Texts @title(path: "en")', 'texts.en'],
    [
      'one further inside, by names with dots',
      'a_b: Texts @json(name: "a.b") @title(path: "deep.de.x")',
      'a.b.deep.de.x',
    ],
    ['else one of a usual name', 'slug: String! headline: String', 'headline'],
    ['else the first required text', 'note: String tags: [String!]! slug: String!', 'slug'],
    ['else the first text', 'count: Int! note: String', 'note'],
    ['none without a text', 'count: Int!', undefined],
  ])('is %s', (_name, fields, expected) => {
    expect(titlePathOf(fields)).toBe(expected);
  });

  it.each([
    [
      'a list',
      'type Page @contentType(class: "t.Page") { names: [String!] @title }',
      'types.graphql:1 Page.names: @title is for a String that is not a list, or needs the path of one in an embedded value',
    ],
    ...['fr', 'all', 'deep', 'many.en', 'en.x', ''].map((path) => [
      `the path ${path}`,
      `type Page @contentType(class: "t.Page") { texts: Texts @title(path: "${path}") } ${texts}`,
      `types.graphql:1 Page.texts: @title has the path "${path}", which leads to no String outside of lists`,
    ]),
    [
      'two fields',
      'type Page @contentType(class: "t.Page") { one: String @title two: String @title }',
      'types.graphql:1 Page: only one field can have @title, not one and two',
    ],
    [
      'an embedded type',
      'type Page @contentType(class: "t.Page") { place: Place } type Place { name: String @title }',
      'types.graphql:1 Place: @title is for fields of content types',
    ],
  ])('is refused for %s', (_name, sdl, problem) => {
    expect(typeProblems(sdl)).toEqual([problem]);
  });
});
