/**
 * The executable schema of one endpoint: its SDL with scalars and resolvers.
 */
import { buildSchema, type GraphQLSchema, isEnumType } from 'graphql';
import type { ContentType } from '../../model/content-type.ts';
import { createFieldResolvers } from '../resolvers/field-resolvers.ts';
import { createMutationResolvers, type WriteContent } from '../resolvers/mutation-resolvers.ts';
import { createQueryResolvers, type ReadContent, type RootReads } from '../resolvers/query-resolvers.ts';
import { attachResolvers, type TypeResolvers } from '../resolvers/resolver-map.ts';
import { defineScalars } from './scalars.ts';

/** Creates the executable schema from the text that `createSchemaText` wrote for the same types. */
export function createExecutableSchema({
  text,
  reads,
  writes,
  writeTypes,
  roots,
  inverses,
}: {
  text: string;
  reads: ReadContent;
  writes: WriteContent;
  writeTypes: readonly ContentType[];
  /** The reads of the fields of `Query`. */
  roots: RootReads;
  /** The resolvers of fields of `@inverse`, by the name of their type. */
  inverses: ReadonlyMap<string, TypeResolvers>;
}): GraphQLSchema {
  // The positions in the text take half of the memory of a schema.
  const schema = buildSchema(text, { noLocation: true });
  const resolvers = createFieldResolvers(reads.catalog);
  for (const [name, ofType] of inverses)
    resolvers.set(name, new Map([...(resolvers.get(name) ?? []), ...ofType]));
  resolvers.set('Query', createQueryResolvers(roots));
  if (writeTypes.length > 0) {
    resolvers.set('Mutation', createMutationResolvers(writeTypes, { reads, writes }));
  }
  defineScalars(schema);
  limitEnumSuggestions(schema);
  attachResolvers(schema, { resolvers, catalog: reads.catalog });
  return schema;
}

/** No name of a value is nearly as long. */
const maxLength = 200;

/**
 * Makes the enum types of a schema suggest nothing in place of a long text.
 *
 * GraphQL coerces each value twice, and the first time it makes suggestions whatever `hideSuggestions` says. For a text of
 * 3 MB they take a third of a second.
 */
function limitEnumSuggestions(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isEnumType(type)) continue;
    const coerceValue = type.coerceInputValue.bind(type);
    const coerceLiteral = type.coerceInputLiteral.bind(type);
    type.coerceInputValue = (value, isHidden) => coerceValue(value, isHidden || isLong(value));
    type.coerceInputLiteral = (node, isHidden) =>
      coerceLiteral(node, isHidden || ('value' in node && isLong(node.value)));
  }
}

const isLong = (value: unknown) => typeof value === 'string' && value.length > maxLength;
