/**
 * Input of the scalars: checks only whether a value is text, number or JSON. The validators of `model/` check the rest.
 */
import { type ConstValueNode, GraphQLError, GraphQLScalarType, type GraphQLSchema, Kind } from 'graphql';
import type { Json } from '../../model/content-type.ts';

/** How one scalar reads a JSON value and a literal in a document. */
interface ScalarInput {
  readonly fromJson: (value: unknown) => unknown;
  readonly fromLiteral: (literal: ConstValueNode) => unknown;
}

/** Sets the input functions of the scalars in a schema that was built from SDL. */
export function defineScalars(schema: GraphQLSchema): void {
  for (const [name, { fromJson, fromLiteral }] of Object.entries(scalars)) {
    const type = schema.getType(name);
    if (!(type instanceof GraphQLScalarType)) throw new Error(`the schema has no scalar ${name}`);
    type.coerceInputValue = fromJson;
    type.coerceInputLiteral = fromLiteral;
  }
}

const scalars: Readonly<Record<string, ScalarInput>> = {
  EpochMillis: {
    fromJson: (value) => (Number.isSafeInteger(value) ? value : refuse(wholeNumber)),
    fromLiteral(literal) {
      const number = literal.kind === Kind.INT ? Number(literal.value) : undefined;
      return Number.isSafeInteger(number) ? number : refuse(wholeNumber, literal);
    },
  },
  RichText: text('RichText'),
  Url: text('Url'),
  JSON: { fromJson: (value) => value, fromLiteral: toJson },
};

const wholeNumber = 'EpochMillis must be a whole number of milliseconds since 1970';

function text(name: string): ScalarInput {
  return {
    fromJson: (value) => (typeof value === 'string' ? value : refuse(`${name} must be a text`)),
    fromLiteral: (literal) =>
      literal.kind === Kind.STRING ? literal.value : refuse(`${name} must be a text`, literal),
  };
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
      return Object.fromEntries(literal.fields.map(({ name, value }) => [name.value, toJson(value)]));
    case Kind.ENUM:
      return refuse(`JSON has no bare words: write "${literal.value}"`, literal);
  }
}

function refuse(message: string, literal?: ConstValueNode): never {
  throw new GraphQLError(message, { nodes: literal ?? null });
}
