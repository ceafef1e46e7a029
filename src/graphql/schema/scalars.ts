/**
 * Gives the scalars of content their input coercion. GraphQL defines String, Int, Float, Boolean and ID itself; the others follow
 * from the table in `model/values/scalars.ts`. What a text may contain beyond its kind is checked by the validators of `model/`.
 */

import {
  type ConstValueNode,
  GraphQLError,
  GraphQLScalarType,
  type GraphQLSchema,
  Kind,
  specifiedScalarTypes,
  type ValueNode,
} from 'graphql';
import { toBareObject } from '../../base/own-members.ts';
import { type Json, type ScalarName, scalarNames } from '../../model/content-type.ts';
import { expectedFor, scalars } from '../../model/values/scalars.ts';

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
