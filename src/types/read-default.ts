/**
 * Reads the literal of `@default` as the JSON value of a field. Whether the value is allowed by the field's type and constraint is
 * checked with the catalog.
 */
import {
  type ConstDirectiveNode,
  type ConstValueNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInterfaceType,
  isListType,
  isObjectType,
  isUnionType,
  Kind,
} from 'graphql';
import { type DefaultVariable, defaultVariables, type Json, type JsonObject } from '../model/content-type.ts';
import { inexactMessage, isExactNumber } from '../model/values/exact-numbers.ts';
import { toJsonName } from './check-field.ts';
import { findInherited } from './inherited-directives.ts';
import { type DirectiveReader, readContentTypeDirective } from './read-directives.ts';

type SdlField = GraphQLField<unknown, unknown>;

/** Thrown within this file for a literal that is not a value of its type. */
class UnfitLiteral extends Error {}

/**
 * Reads the literal in `@default` as the JSON value of a field, or returns what is wrong with it.
 *
 * A text such as `$user.id` stands for who creates the asset. An embedded value is written with GraphQL names; members that it omits get their own defaults.
 */
export function readDefault(
  directive: ConstDirectiveNode,
  field: SdlField,
  directives: DirectiveReader,
): { value: Json } | { variable: DefaultVariable } | { problem: string } | undefined {
  const literal = literalOf(directive);
  // The reader of directives reports a missing value, and null.
  if (!literal || literal.kind === Kind.NULL) return undefined;
  const variable = literal.kind === Kind.STRING ? readVariable(literal.value, field) : undefined;
  if (variable) return variable;
  try {
    return { value: toJson(literal, field.type, { directives, within: [] }) };
  } catch (error) {
    if (error instanceof UnfitLiteral) return { problem: `the default ${error.message}` };
    throw error;
  }
}

const textScalars = ['String', 'ID'];
const timeScalars = ['EpochMillis', 'DateTime'];

/** Reads a variable such as `$user.id`. A text of another kind of field is its value, whatever it looks like. */
function readVariable(
  text: string,
  { type }: SdlField,
): { variable: DefaultVariable } | { problem: string } | undefined {
  if (!/^\$[a-z]+(\.[a-z]+)*$/.test(text)) return undefined;
  const variable = defaultVariables.find((known) => known === text);
  const fitting = variable === '$now' ? timeScalars : textScalars;
  const nullable = getNullableType(type);
  if (isListType(nullable) || ![...textScalars, ...timeScalars].includes(nullable.name)) return undefined;
  if (!variable) return { problem: `the default names ${text}; there are ${defaultVariables.join(', ')}` };
  return fitting.includes(nullable.name)
    ? { variable }
    : { problem: `the default ${text} is for fields of the types ${fitting.join(' and ')}` };
}

function literalOf({ arguments: given = [] }: ConstDirectiveNode): ConstValueNode | undefined {
  return given.find(({ name }) => name.value === 'value')?.value;
}

/** The place of a literal: `within` are the fields whose defaults it is part of. */
interface Place {
  readonly directives: DirectiveReader;
  readonly within: readonly SdlField[];
}

function toJson(literal: ConstValueNode, nullable: GraphQLType, place: Place): Json {
  const type = getNullableType(nullable);
  if (isBlocks(type, place)) throw new UnfitLiteral('cannot be or contain blocks');
  if (isReference(type, place)) throw new UnfitLiteral('cannot be or contain a reference');
  if (isListType(type)) {
    if (literal.kind !== Kind.LIST) throw new UnfitLiteral('must be a list');
    return literal.values.map((item) => toJson(item, type.ofType, place));
  }
  if (isObjectType(type)) return toEmbedded(literal, type, place);
  if (isEnumType(type)) {
    if (literal.kind === Kind.ENUM) return literal.value;
    throw new UnfitLiteral(`must be a value of ${type.name}, without quotes`);
  }
  return toFreeJson(literal);
}

function isBlocks(nullable: GraphQLType, { directives }: Place): boolean {
  const type = getNamedType(nullable);
  const isContent = (one: GraphQLNamedType) => readContentTypeDirective(directives, one) !== undefined;
  if (isUnionType(type)) return !type.getTypes().some(isContent);
  return isInterfaceType(type) && type.name !== 'Content' && !isContent(type);
}

function isReference(nullable: GraphQLType, { directives }: Place): boolean {
  const type = getNamedType(nullable);
  return (
    isInterfaceType(type) || isUnionType(type) || readContentTypeDirective(directives, type) !== undefined
  );
}

function toEmbedded(literal: ConstValueNode, type: GraphQLObjectType, place: Place): JsonObject {
  if (literal.kind !== Kind.OBJECT) throw new UnfitLiteral(`must be an object of ${type.name}`);
  const written = new Map(literal.fields.map(({ name, value }) => [name.value, value]));
  const fields = Object.values(type.getFields());
  const unknown = [...written.keys()].find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) throw new UnfitLiteral(`has ${unknown}, which is not a field of ${type.name}`);
  const { directives } = place;
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = toMember(written.get(field.name), { type, field, place });
      const name = toJsonName(field.name, directives.read(field.astNode, 'json'));
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function toMember(
  given: ConstValueNode | undefined,
  { type, field, place }: { type: GraphQLObjectType; field: SdlField; place: Place },
): Json | undefined {
  const { directives, within } = place;
  if (given) {
    if (given.kind === Kind.NULL) throw new UnfitLiteral('cannot contain null: omit the field');
    if (directives.read(field.astNode, 'indexed')?.unique === true)
      throw new UnfitLiteral(`sets ${field.name}, which is unique`);
    return toJson(given, field.type, place);
  }
  const [directive] = findInherited(type, field, 'default').directives;
  const literal = directive && literalOf(directive);
  if (!literal || literal.kind === Kind.NULL) return undefined;
  if (within.includes(field)) throw new UnfitLiteral('contains itself');
  return toJson(literal, field.type, { directives, within: [...within, field] });
}

function toFreeJson(literal: ConstValueNode): Json {
  switch (literal.kind) {
    case Kind.NULL:
      return null;
    case Kind.ENUM:
      throw new UnfitLiteral(`contains the name ${literal.value}: write a text in quotes`);
    case Kind.INT:
    case Kind.FLOAT:
      if (!isExactNumber(literal.value)) throw new UnfitLiteral(inexactMessage);
      // Adding 0 turns -0 into 0.
      return Number(literal.value) + 0;
    case Kind.STRING:
    case Kind.BOOLEAN:
      return literal.value;
    case Kind.LIST:
      return literal.values.map(toFreeJson);
    case Kind.OBJECT:
      return Object.fromEntries(literal.fields.map(({ name, value }) => [name.value, toFreeJson(value)]));
  }
}
