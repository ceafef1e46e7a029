/**
 * Catalog to GraphQL schema: the types of content with their inputs, a query and a list for each, the mutations that write it.
 *
 * The schema is written as SDL, like the content types it comes from; resolvers are no part of it. The types are defined in
 * `type-definitions.ts`. That no two names clash was seen to when the catalog was loaded.
 */
import { buildSchema, printSchema } from 'graphql';
import type { Catalog, ContentType } from '../model/content-type.ts';
import { block, defineTypes } from './type-definitions.ts';

/** Writes the schema of all content types of a catalog as SDL. */
export function createSchemaSdl(catalog: Catalog): string {
  const types = [...catalog.types.values()];
  const interfaces = [...catalog.interfaces.values()];
  const queries = [
    ...types.flatMap((type) => [queryOf(type), listQueryOf(type)]),
    ...interfaces.map(listQueryOf),
  ];
  const definitions = [
    block('type Query', queries),
    block('type Mutation', types.flatMap(mutationsOf)),
    ...defineTypes(catalog),
  ];
  return `${printSchema(buildSchema(definitions.join('\n')))}\n`;
}

function queryOf({ name }: ContentType): string {
  return `"Finds one ${name}; null when there is none." ${lowerFirst(name)}(_id: ID!): ${name}`;
}

function listQueryOf({ name }: ContentType): string {
  return `"Finds assets of the type ${name}." ${lowerFirst(name)}List(
    "A predicate; without it, all are found." where: String
    "The values for the placeholders of the predicate, in order." values: [JSON!]
    "What to sort by, the most important first; the default is _id." sortBy: [SortInput!]
    "How many to skip." offset: Int
    "How many to return." limit: Int
  ): ${name}List!`;
}

function mutationsOf({ name }: ContentType): string[] {
  return [
    `"Creates one ${name}." create${name}(input: Create${name}Input!): ${name}!`,
    `"Changes the fields given; null clears an optional one." update${name}(_id: ID!, input: Update${name}Input!): ${name}!`,
    `"Deletes one ${name}; false when there is none." delete${name}(_id: ID!): Boolean!`,
  ];
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
