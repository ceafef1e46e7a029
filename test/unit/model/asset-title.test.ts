import { describe, expect, it } from 'vitest';
import { findTitleField } from '../../../src/model/asset-title.ts';
import { catalogOf, typeProblems } from '../../support/types.ts';

const titleOf = (fields: string) => {
  const type = catalogOf(`type Page @contentType(class: "t.Page") { ${fields} }`).find('t.Page');
  return type && findTitleField(type)?.name;
};

describe('the field that names the assets of a type', () => {
  it.each([
    ['the one with @title', 'name: String! label: String @title', 'label'],
    ['else one of a usual name', 'slug: String! headline: String', 'headline'],
    ['else the first required text', 'note: String tags: [String!]! slug: String!', 'slug'],
    ['else the first text', 'count: Int! note: String', 'note'],
    ['none without a text', 'count: Int!', undefined],
  ])('is %s', (_name, fields, expected) => {
    expect(titleOf(fields)).toBe(expected);
  });

  it.each([
    [
      'a list',
      'type Page @contentType(class: "t.Page") { names: [String!] @title }',
      'types.graphql:1 Page.names: @title is for a String that is not a list',
    ],
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
