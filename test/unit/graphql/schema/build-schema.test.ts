import {
  buildSchema,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parse,
  validate,
  validateSchema,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchemaSdl } from '../../../../src/graphql/schema/build-schema.ts';
import { catalogOf, shippedCatalog } from '../../../support/types.ts';

function schemaOf(sdl?: string): GraphQLSchema {
  return buildSchema(createSchemaSdl(sdl === undefined ? shippedCatalog() : catalogOf(sdl)));
}

/** The fields of a type as SDL types, by name. */
function fieldsOf(schema: GraphQLSchema, name: string): Record<string, string> {
  const type = schema.getType(name);
  if (isInputObjectType(type)) {
    return Object.fromEntries(Object.values(type.getFields()).map((field) => [field.name, `${field.type}`]));
  }
  if (!isObjectType(type) && !isInterfaceType(type)) throw new Error(`${name} has no fields`);
  return Object.fromEntries(
    Object.values(type.getFields()).map((field) => {
      const args = field.args.map((arg) => `${arg.name}: ${arg.type}`).join(', ');
      return [field.name, args ? `(${args}): ${field.type}` : `${field.type}`];
    }),
  );
}

describe('createSchemaSdl', () => {
  it('builds a valid GraphQL schema', () => {
    expect(validateSchema(schemaOf())).toEqual([]);
  });

  it('has a query and a list for each content type, and only a list for an interface', () => {
    const queries = fieldsOf(schemaOf(), 'Query');
    const list = (filter: string) =>
      `(filter: ${filter}, where: String, values: [JSON!], sortBy: [SortInput!], offset: Int, limit: Int, cursor: String)`;
    expect(queries).toMatchObject({
      text: '(_id: ID!): Text',
      textList: `${list('TextFilter')}: TextList!`,
      pageList: `${list('PageFilter')}: PageList!`,
    });
    expect(queries).not.toHaveProperty('page');
    expect(fieldsOf(schemaOf(), 'TextList')).toEqual({
      count: 'Int!',
      items: '[Text!]!',
      next: 'String',
      facets: '(paths: [String!]!): [ListFacet!]!',
    });
  });

  it('has mutations for each content type, with inputs by GraphQL names', () => {
    const schema = schemaOf(`
      interface Page @contentType(class: "t.Page") { name: String! }
      type Text implements Page @contentType(class: "t.Text") { name: String! text: RichText }`);
    expect(fieldsOf(schema, 'Mutation')).toMatchObject({
      createText: '(input: CreateTextInput!): Text!',
      updateText: '(_id: ID!, input: UpdateTextInput!): Text!',
      deleteText: '(_id: ID!): Boolean!',
    });
    expect(fieldsOf(schema, 'Mutation')).not.toHaveProperty('createPage');
    const shared = {
      text: 'RichText',
      cms_site_owner: 'ReferenceInput',
      cms_content_publishDate: 'EpochMillis',
      cms_content_updateDate: 'EpochMillis',
    };
    expect(fieldsOf(schema, 'CreateTextInput')).toEqual({ _id: 'ID', name: 'String!', ...shared });
    expect(fieldsOf(schema, 'UpdateTextInput')).toEqual({ name: 'String', ...shared });
    expect(fieldsOf(schema, 'ReferenceInput')).toEqual({ _ref: 'ID!', _type: 'String' });
  });

  it('keeps interfaces, enums, embedded values, lists and scalars', () => {
    const schema = schemaOf();
    const article = schema.getType('Article');
    expect(isObjectType(article) && article.getInterfaces().map(String)).toEqual(['Content', 'Page']);
    expect(fieldsOf(schema, 'Article')).toMatchObject({
      _id: 'ID!',
      _type: 'String!',
      slug: 'String!',
      status: 'ArticleStatus!',
      author: 'Author',
      tags: '[String!]',
      sources: '[Source!]',
      place: 'Place',
      importData: 'JSON',
      cms_content_publishDate: 'EpochMillis',
    });
    expect(fieldsOf(schema, 'CreateArticleInput')).toMatchObject({
      sources: '[SourceInput!]',
      place: 'PlaceInput',
      related: '[ReferenceInput!]',
    });
    expect(fieldsOf(schema, 'PlaceInput')).toMatchObject({ name: 'String!', latitude: 'Float' });
    expect(article?.description).toBe('A piece of news.');
  });

  it('makes references nullable in output, because a target can be deleted, but not in input', () => {
    const schema = schemaOf(`
      type Person @contentType(class: "my.Person") { name: String! }
      type Book @contentType(class: "my.Book") { author: Person! readers: [Person!]! }`);
    expect(validateSchema(schema)).toEqual([]);
    expect(fieldsOf(schema, 'Book')).toMatchObject({ author: 'Person', readers: '[Person]!' });
    expect(fieldsOf(schema, 'CreateBookInput')).toMatchObject({
      author: 'ReferenceInput!',
      readers: '[ReferenceInput!]!',
    });
  });

  it('supports unions, references to any content, recursive types, and hostile descriptions', () => {
    const schema = schemaOf(`
      "Quotes \\" and \\\\ and \\n lines, \\"\\"\\" and } too"
      type Person @contentType(class: "my.Person") { name: String! @json(name: "name") }
      type Company @contentType(class: "my.Company") { name: String! }
      union Party = Company | Person
      type Note { text: String! notes: [Note!] about: Content }
      type Book @contentType(class: "my.Book") { owner: Party notes: [Note!] }`);
    expect(validateSchema(schema)).toEqual([]);
    expect(schema.getType('Person')?.description).toBe('Quotes " and \\ and \n lines, """ and } too');
    expect(fieldsOf(schema, 'Note')).toEqual({ text: 'String!', notes: '[Note!]', about: 'Content' });
    expect(fieldsOf(schema, 'NoteInput')).toMatchObject({ notes: '[NoteInput!]', about: 'ReferenceInput' });
    const query = '{ bookList { items { owner { ... on Person { name } } notes { about { _type } } } } }';
    expect(validate(schema, parse(query))).toEqual([]);
  });

  it('is deterministic', () => {
    expect(createSchemaSdl(shippedCatalog())).toBe(createSchemaSdl(shippedCatalog()));
  });
});
