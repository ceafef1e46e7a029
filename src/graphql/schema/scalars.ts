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
    type.coerceInputLiteral = (literal) => coerce(name, readLiteral(name, literal), literal);
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
      return toJson(literal);
  }
}

function toJson(literal: ConstValueNode): Json {
  switch (literal.kind) {
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(literal.value);
    case Kind.STRING:
    case Kind.BOOLEAN:
      return literal.value;
    case Kind.LIST:
      return literal.values.map(toJson);
    case Kind.OBJECT:
      return toBareObject(literal.fields.map(({ name, value }) => [name.value, toJson(value)]));
    case Kind.ENUM:
      throw refusal(`JSON has no bare words: write "${literal.value}"`, literal);
  }
}

const refusal = (message: string, literal: ConstValueNode | undefined) =>
  new GraphQLError(message, { nodes: literal ?? null });
