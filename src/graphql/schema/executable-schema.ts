/**
 * The executable schema of one endpoint: its SDL with scalars and resolvers.
 */
import { buildSchema, type GraphQLSchema } from 'graphql';
import type { ContentType } from '../../model/content-type.ts';
import { createFieldResolvers } from '../resolvers/field-resolvers.ts';
import { createMutationResolvers, type WriteContent } from '../resolvers/mutation-resolvers.ts';
import { createQueryResolvers, type ReadContent, type RootReads } from '../resolvers/query-resolvers.ts';
import { attachResolvers } from '../resolvers/resolver-map.ts';
import { limitEnumSuggestions } from './enum-suggestions.ts';
import { defineScalars } from './scalars.ts';

/** Creates the executable schema from the text that `createSchemaText` wrote for the same types. */
export function createExecutableSchema({
  text,
  reads,
  writes,
  writeTypes,
  roots,
}: {
  text: string;
  reads: ReadContent;
  writes: WriteContent;
  writeTypes: readonly ContentType[];
  /** The reads of the fields of `Query`. */
  roots: RootReads;
}): GraphQLSchema {
  const schema = buildSchema(text);
  const resolvers = createFieldResolvers(reads.catalog);
  resolvers.set('Query', createQueryResolvers(roots));
  if (writeTypes.length > 0) {
    resolvers.set('Mutation', createMutationResolvers(writeTypes, { reads, writes }));
  }
  defineScalars(schema);
  limitEnumSuggestions(schema);
  attachResolvers(schema, { resolvers, catalog: reads.catalog });
  return schema;
}
