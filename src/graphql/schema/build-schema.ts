/**
 * Builds the GraphQL schema of a catalog: for each content type its fields, inputs, a query, a list and mutations.
 *
 * The schema is written as SDL, without resolvers. `type-definitions.ts` defines the types that are read, `input-definitions.ts`
 * those that are written. The catalog was checked for clashing names when it was loaded.
 */
import { buildSchema, type GraphQLSchema, printSchema } from 'graphql';
import type { Catalog, ContentType } from '../../model/content-type.ts';
import type { GraphqlEndpointDefinition } from '../endpoints/graphql-endpoint.ts';
import { keyNameOf, keysOf } from '../filters/filter-types.ts';
import { defineFilters, defineInputs } from './input-definitions.ts';
import {
  createName,
  deleteName,
  getName,
  keyedName,
  listName,
  listTypeName,
  updateName,
} from './root-names.ts';
import { block, defineTypes, listArguments } from './type-definitions.ts';
import { findValueTypes } from './value-types.ts';

/** The parts of a schema that do not follow from its catalog. */
export interface SchemaOptions {
  /** The content types that can be written, with all their fields; absent means all types of the catalog. */
  readonly writes?: readonly ContentType[];
  /** The limits that the descriptions of lists mention. */
  readonly limits?: Pick<GraphqlEndpointDefinition, 'defaultLimit' | 'maxLimit'>;
}

/** Writes the SDL of a schema over the content types of a catalog, formatted for people. */
export function createSchemaSdl(reads: Catalog, options: SchemaOptions = {}): string {
  return formatSchema(buildSchema(createSchemaText(reads, options)));
}

/** Writes the SDL of a schema, formatted for people. */
export const formatSchema = (schema: GraphQLSchema): string => `${printSchema(schema)}\n`;

/** Writes the text of a schema over the content types of a catalog. */
export function createSchemaText(
  reads: Catalog,
  { writes = [...reads.types.values()], limits }: SchemaOptions = {},
): string {
  const types = [...reads.types.values()];
  const interfaces = [...reads.interfaces.values()];
  const limit = describeLimit(limits);
  const queries = [
    ...types.flatMap((type) => [queryOf(type), ...keyedQueryOf(type), listQueryOf(type, limit)]),
    ...interfaces.map((type) => listQueryOf(type, limit)),
  ];
  const definitions = [
    block('type Query', queries),
    ...(writes.length > 0 ? [block('type Mutation', writes.flatMap(mutationsOf))] : []),
    ...defineTypes(reads, limit),
    ...defineFilters(reads),
    ...defineInputs(writes, findValueTypes([...types, ...interfaces])),
  ];
  return definitions.join('\n');
}

function describeLimit(limits: SchemaOptions['limits']): string {
  if (!limits) return 'How many to return.';
  return `How many to return: ${limits.defaultLimit} unless told, ${limits.maxLimit} at most.`;
}

function queryOf(type: ContentType): string {
  const { name } = type;
  return `"Finds one ${name}; null when there is none." ${getName(type)}(_id: ID!): ${name}`;
}

function keyedQueryOf(type: ContentType): string[] {
  const { name } = type;
  if (keysOf(type).size === 0) return [];
  return [
    `"Finds the ${name} with a key; null when there is none." ${keyedName(type)}(key: ${keyNameOf(type)}!): ${name}`,
  ];
}

function listQueryOf(type: ContentType, limit: string): string {
  return `"Finds assets of the type ${type.name}." ${listName(type)}${listArguments(type, limit)}: ${listTypeName(type)}!`;
}

function mutationsOf(type: ContentType): string[] {
  const { name } = type;
  return [
    `"Creates one ${name}." ${createName(type)}(input: Create${name}Input!): ${name}!`,
    `"Changes the fields given; null clears an optional one." ${updateName(type)}(_id: ID!, input: Update${name}Input!): ${name}!`,
    `"Deletes one ${name}; false when there is none." ${deleteName(type)}(_id: ID!): Boolean!`,
  ];
}
