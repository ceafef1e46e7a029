/**
 * The executable schema of one endpoint: its SDL with scalars and resolvers.
 */

import {
  buildSchema,
  type ConstValueNode,
  GraphQLError,
  GraphQLScalarType,
  type GraphQLSchema,
  isEnumType,
  Kind,
  specifiedScalarTypes,
  type ValueNode,
} from 'graphql';
import { toBareObject } from '../../base/own-members.ts';
import { type ContentType, type Json, type ScalarName, scalarNames } from '../../model/content-type.ts';
import { expectedFor, scalars } from '../../model/values/scalars.ts';
import { createFieldResolvers } from '../resolvers/field-resolvers.ts';
import { createMutationResolvers, type WriteContent } from '../resolvers/mutation-resolvers.ts';
import { createQueryResolvers, type ReadContent, type RootReads } from '../resolvers/query-resolvers.ts';
import { attachResolvers, type TypeResolvers } from '../resolvers/resolver-types.ts';

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

// Gives the scalars of content their input coercion. GraphQL defines String, Int, Float, Boolean and ID itself; the others follow
// from the table in `model/values/scalars.ts`. What a text may contain beyond its kind is checked by the validators of `model/`.

/** Defines the scalars of a schema that was built from SDL. */
export function defineScalars(schema: GraphQLSchema): void {
  for (const name of scalarNames) {
    if (specifiedScalarTypes.some((specified) => specified.name === name)) continue;
    const type = schema.getType(name);
    if (!(type instanceof GraphQLScalarType)) throw new Error(`the schema has no scalar ${name}`);
    type.coerceInputValue = (value) => coerce(name, value);
    if (scalars[name].family === 'opaque') {
      // GraphQL would give `coerceInputLiteral` variables as literals of their types: enum values as bare words, an ID of digits as a number.
      type.parseLiteral = (literal, variables) => coerce(name, toJson(literal, variables ?? {}));
    } else {
      type.coerceInputLiteral = (literal) => coerce(name, readLiteral(name, literal), literal);
    }
  }
}

function coerce(name: ScalarName, value: unknown, literal?: ConstValueNode): unknown {
  if (value !== undefined && scalars[name].accepts(value)) return value;
  const given = value ?? (literal && givenIn(literal));
  throw refusal(`${name} must be ${expectedFor(name, given)}`, literal);
}

/** Returns what a literal was meant for, to say how to write it. */
const givenIn = (literal: ConstValueNode) =>
  literal.kind === Kind.INT || literal.kind === Kind.FLOAT
    ? Number(literal.value)
    : 'value' in literal
      ? literal.value
      : undefined;

/** Reads a literal; one of another kind than the scalar's is `undefined`. */
function readLiteral(name: ScalarName, literal: ConstValueNode): unknown {
  const { family, fromText } = scalars[name];
  switch (family) {
    case 'text':
    case 'ordered':
      return literal.kind === Kind.STRING ? literal.value : undefined;
    case 'number':
      return literal.kind === Kind.INT || literal.kind === Kind.FLOAT ? fromText(literal.value) : undefined;
    case 'boolean':
      return literal.kind === Kind.BOOLEAN ? literal.value : undefined;
    case 'opaque':
      return undefined;
  }
}

/** The coerced values of an operation's variables. */
type VariableValues = Readonly<Record<string, unknown>>;

/** Reads a literal in which variables stand for their values; one that is not given is null, and a member of an object is left out. */
function toJson(literal: ValueNode, variables: VariableValues): Json {
  switch (literal.kind) {
    case Kind.VARIABLE:
      // Input coercion has made it of JSON.
      return (variables[literal.name.value] as Json | undefined) ?? null;
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(literal.value);
    case Kind.STRING:
    case Kind.BOOLEAN:
      return literal.value;
    case Kind.LIST:
      return literal.values.map((value) => toJson(value, variables));
    case Kind.OBJECT:
      return toBareObject(
        literal.fields
          .filter(({ value }) => value.kind !== Kind.VARIABLE || variables[value.name.value] !== undefined)
          .map(({ name, value }) => [name.value, toJson(value, variables)]),
      );
    case Kind.ENUM:
      throw refusal(`JSON has no bare words: write "${literal.value}"`, literal);
  }
}

const refusal = (message: string, literal: ValueNode | undefined) =>
  new GraphQLError(message, { nodes: literal ?? null });
