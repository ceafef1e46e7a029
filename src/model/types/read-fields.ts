/**
 * Reads the fields of SDL types: their names, value types and directives, embedded types included.
 *
 * A problem is recorded in the reading, which then goes on, so that one run reports all of them.
 */
import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLUnionType,
  getNamedType,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isUnionType,
} from 'graphql';
import type { SourceProblem } from '../../base/errors.ts';
import type { Constraint, EmbeddedType, Field, ValueType } from '../content-type.ts';
import { isScalarName } from '../values/scalars.ts';
import { checkFieldNames } from './check-catalog.ts';
import { checkField, toJsonName } from './check-field.ts';
import { problemAt } from './parse-types.ts';
import { type DirectiveReader, type DirectiveValues, readContentTypeDirective } from './read-directives.ts';

/** A type that has fields. */
export type Composite = GraphQLObjectType | GraphQLInterfaceType;

/** The state of reading one schema. */
export interface SchemaReading {
  readonly schema: GraphQLSchema;
  readonly directives: DirectiveReader;
  /** The types with `@contentType`, by GraphQL name. */
  readonly classes: ReadonlyMap<string, GraphQLNamedType>;
  readonly embeddedTypes: Map<string, EmbeddedType>;
  readonly problems: SourceProblem[];
}

/** Returns the class name of a type with `@contentType`. */
export function classOf({ directives, classes }: SchemaReading, name: string): string {
  return String(readContentTypeDirective(directives, classes.get(name))?.class);
}

/** Reads the fields of a type, by JSON name. */
export function readFields(reading: SchemaReading, type: Composite): Map<string, Field> {
  const isAssetMember = (name: string) =>
    reading.classes.has(type.name) && (name === '_id' || name === '_type');
  const fields = Object.values(type.getFields())
    .filter(({ name }) => !isAssetMember(name))
    .map((field) => readField(reading, type, field));
  reading.problems.push(...checkFieldNames(fields, type.astNode));
  return new Map(fields.map((field) => [field.name, field]));
}

type SdlField = GraphQLField<unknown, unknown>;

function readField(reading: SchemaReading, owner: Composite, graphqlField: SdlField): Field {
  const { directives, problems } = reading;
  const { name, astNode, type } = graphqlField;
  const indexed = directives.read(astNode, 'indexed');
  const field: Field = {
    name: toJsonName(name, directives.read(astNode, 'json')),
    graphqlName: name,
    ...describe(graphqlField),
    type: readValueType(reading, owner, graphqlField),
    list: isListType(isNonNullType(type) ? type.ofType : type),
    required: isNonNullType(type),
    ...(indexed ? { indexed: { unique: indexed.unique === true } } : {}),
    ...(directives.read(astNode, 'searchable') ? { searchable: true } : {}),
    constraint: toConstraint(directives.read(astNode, 'constraint')),
  };
  problems.push(...checkField({ field, graphqlField, ownerName: owner.name }));
  return field;
}

function readValueType(reading: SchemaReading, owner: Composite, field: SdlField): ValueType {
  const type = toValueType(reading, getNamedType(field.type));
  if (typeof type !== 'string') return type;
  reading.problems.push(problemAt(field.astNode, `${owner.name}.${field.name}: ${type}`));
  return anyValue;
}

/** Stands in for a type that is reported as a problem. */
const anyValue: ValueType = { kind: 'scalar', scalar: 'JSON' };

/** Returns the value type that a GraphQL type stands for, or the reason why no field can have it. */
function toValueType(reading: SchemaReading, type: GraphQLNamedType): ValueType | string {
  // An unknown scalar is reported once, where it is declared.
  if (isScalarType(type)) return isScalarName(type.name) ? { kind: 'scalar', scalar: type.name } : anyValue;
  if (isEnumType(type)) {
    return { kind: 'enum', name: type.name, values: type.getValues().map(({ name }) => name) };
  }
  if (isUnionType(type)) return readUnion(reading, type);
  if (isInterfaceType(type)) {
    return reading.classes.has(type.name) || type.name === 'Content'
      ? toReference(reading, type.name, reading.schema.getPossibleTypes(type))
      : `${type.name} is an interface without @contentType, which no field can hold`;
  }
  // `parse-types.ts` has refused input types.
  if (!isObjectType(type)) return 'this is no type that a field can have';
  return reading.classes.has(type.name)
    ? toReference(reading, type.name, [type])
    : { kind: 'embedded', type: readEmbedded(reading, type) };
}

function readUnion(reading: SchemaReading, type: GraphQLUnionType): ValueType | string {
  const stranger = type.getTypes().find(({ name }) => !reading.classes.has(name));
  return stranger
    ? `${stranger.name} in union ${type.name} is no content type`
    : toReference(reading, type.name, type.getTypes());
}

function toReference(reading: SchemaReading, name: string, types: readonly GraphQLObjectType[]): ValueType {
  return { kind: 'reference', name, targets: types.map((type) => classOf(reading, type.name)).sort() };
}

function readEmbedded(reading: SchemaReading, type: GraphQLObjectType): EmbeddedType {
  const known = reading.embeddedTypes.get(type.name);
  if (known) return known;
  const fields = new Map<string, Field>();
  const embedded: EmbeddedType = { name: type.name, ...describe(type), fields };
  // Registered before its fields are read, since a type may contain itself.
  reading.embeddedTypes.set(type.name, embedded);
  for (const [name, field] of readFields(reading, type)) fields.set(name, field);
  return embedded;
}

/** Returns the description of an SDL node as a member, if it has one. */
export function describe(node: { description?: string | null | undefined }): { description?: string } {
  return node.description ? { description: node.description } : {};
}

function toConstraint(values: DirectiveValues | undefined): Constraint {
  const given = Object.entries(values ?? {}).filter(([, value]) => value !== null && value !== undefined);
  // The directive's definition fixes the names and types of its arguments.
  return Object.fromEntries(given) as Constraint;
}
