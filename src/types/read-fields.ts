/**
 * Reads the fields of SDL types: their names, value types and directives, embedded types included.
 *
 * A problem is recorded in the reading, which then goes on, so that one run reports all of them.
 */
import {
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
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
import { createCatalog } from '../model/catalog.ts';
import {
  type Constraint,
  type EmbeddedType,
  type EnumType,
  type Field,
  fileTypeName,
  hasDefault,
  type ValueType,
} from '../model/content-type.ts';
import type { Findings } from '../model/values/findings.ts';
import { isScalarName } from '../model/values/scalars.ts';
import { compileFieldCheck } from '../model/values/validate-asset.ts';
import { checkFieldNames } from './check-catalog.ts';
import { checkField, checkTitle, checkTitles, toJsonName } from './check-field.ts';
import { checkFormerNames } from './check-former-names.ts';
import { mergeKinds } from './merge-kinds.ts';
import { problemAt } from './parse-types.ts';
import {
  type Composite,
  classOf,
  type DirectiveValues,
  findDirectives,
  type SchemaReading,
} from './read-directives.ts';
import { readFieldChanges } from './read-field-changes.ts';
import { checkOnDelete, readOnDelete } from './read-on-delete.ts';
import { readFormerKinds, readTypeChanges } from './read-type-changes.ts';
import { readLabels, readValueLabels } from './read-type-directives.ts';

/** Reads the fields of a type, by JSON name. */
export function readFields(reading: SchemaReading, type: Composite): Map<string, Field> {
  const isAssetMember = (name: string) =>
    reading.classes.has(type.name) && (name === '_id' || name === '_type');
  const fields = Object.values(type.getFields())
    .filter(({ name, astNode }) => !isAssetMember(name) && findDirectives(astNode, 'inverse').length === 0)
    .map((field) => readField(reading, type, field));
  const formerNames = fields.flatMap((field) => {
    const node = type.getFields()[field.graphqlName]?.astNode;
    return checkFormerNames(field, fields).map((message) =>
      problemAt(node, `${type.name}.${field.graphqlName}: ${message}`),
    );
  });
  const titles = checkTitles(fields, { isContentType: reading.classes.has(type.name) }).map((message) =>
    problemAt(type.astNode, `${type.name}: ${message}`),
  );
  reading.problems.push(...checkFieldNames(fields, type.astNode), ...formerNames, ...titles);
  return new Map(fields.map((field) => [field.name, field]));
}

type SdlField = GraphQLField<unknown, unknown>;

function readField(reading: SchemaReading, owner: Composite, graphqlField: SdlField): Field {
  const { directives, problems, laterChecks } = reading;
  const { name, astNode, type } = graphqlField;
  const indexed = directives.read(astNode, 'indexed');
  const field: Field = {
    name: toJsonName(name, directives.read(astNode, 'json')),
    graphqlName: name,
    ...describe(graphqlField),
    ...readLabels(reading, `${owner.name}.${name}`, astNode),
    type: readValueType(reading, owner, graphqlField),
    list: isListType(isNonNullType(type) ? type.ofType : type),
    required: isNonNullType(type),
    ...(indexed ? { indexed: { unique: indexed.unique === true } } : {}),
    ...readOnDelete(reading, owner, graphqlField),
    ...(directives.read(astNode, 'searchable') ? { searchable: true } : {}),
    ...toTitle(directives.read(astNode, 'title')),
    constraint: {
      ...toConstraint(directives.read(astNode, 'constraint')),
      ...toConstraint(directives.read(astNode, 'file')),
    },
    ...(owner.name === fileTypeName && !givenOfFiles.has(name) ? { isSupplied: true } : {}),
    ...readFieldChanges(reading, owner, graphqlField),
  };
  problems.push(...checkField({ field, graphqlField, ownerName: owner.name }));
  laterChecks.push(() =>
    [...checkTitle(field), ...checkDefault(field), ...checkOnDelete(field)].map((message) =>
      problemAt(astNode, `${owner.name}.${name}: ${message}`),
    ),
  );
  return field;
}

/** What a write says of a file; the server knows the rest. */
const givenOfFiles: ReadonlySet<string> = new Set(['hash', 'alt']);

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
  if (isEnumType(type)) return readEnum(reading, type);
  if (isUnionType(type)) return readUnion(reading, type);
  if (isInterfaceType(type)) {
    return reading.classes.has(type.name) || type.name === 'Content'
      ? toReference(reading, type.name, reading.schema.getPossibleTypes(type))
      : toBlocks(reading, type, reading.schema.getPossibleTypes(type));
  }
  // `parse-types.ts` has refused input types.
  if (!isObjectType(type)) return 'this is no type that a field can have';
  return reading.classes.has(type.name)
    ? toReference(reading, type.name, [type])
    : { kind: 'embedded', type: readEmbedded(reading, type) };
}

function readEnum(reading: SchemaReading, type: GraphQLEnumType): EnumType {
  const labels = readValueLabels(reading, type);
  const values = type.getValues();
  const deprecated = new Map(
    values.flatMap(({ name, deprecationReason }) =>
      deprecationReason == null ? [] : [[name, deprecationReason]],
    ),
  );
  return {
    kind: 'enum',
    name: type.name,
    values: values.map(({ name }) => name),
    ...(deprecated.size > 0 ? { deprecated } : {}),
    ...(labels.size > 0 ? { labels } : {}),
  };
}

function readUnion(reading: SchemaReading, type: GraphQLUnionType): ValueType | string {
  const members = type.getTypes();
  return members.every(({ name }) => reading.classes.has(name))
    ? toReference(reading, type.name, members)
    : toBlocks(reading, type, members);
}

function toReference(reading: SchemaReading, name: string, types: readonly GraphQLObjectType[]): ValueType {
  return { kind: 'reference', name, targets: types.map((type) => classOf(reading, type.name)).sort() };
}

function toBlocks(
  reading: SchemaReading,
  type: GraphQLUnionType | GraphQLInterfaceType,
  kinds: readonly GraphQLObjectType[],
): ValueType | string {
  const known = reading.blocks.get(type.name);
  if (known) return { kind: 'embedded', type: known };
  const content = kinds.find(({ name }) => reading.classes.has(name));
  if (content) return `${type.name} mixes the content type ${content.name} with embedded types`;
  if (kinds.length === 0) return `no embedded type implements ${type.name}`;
  const fields = new Map<string, Field>();
  const types = new Map<string, EmbeddedType>();
  const shared = new Map<string, Field>();
  const blocks: EmbeddedType = {
    name: type.name,
    ...describe(type),
    ...(isInterfaceType(type) && readLabels(reading, type.name, type.astNode)),
    fields,
    kinds: types,
    ...(isInterfaceType(type) && { shared }),
    dropped: [],
  };
  // Registered before its kinds are read, since one may contain further blocks.
  reading.blocks.set(type.name, blocks);
  for (const kind of kinds) {
    const formerNames = readFormerKinds(reading, kind);
    types.set(kind.name, { ...readEmbedded(reading, kind), ...(formerNames.length > 0 && { formerNames }) });
  }
  if (isInterfaceType(type)) for (const [name, field] of readFields(reading, type)) shared.set(name, field);
  reading.laterChecks.unshift(() => {
    const { shared, problems } = mergeKinds(blocks);
    for (const field of shared) fields.set(field.name, field);
    return problems.map((message) => problemAt(type.astNode, `${type.name}: ${message}`));
  });
  return { kind: 'embedded', type: blocks };
}

function readEmbedded(reading: SchemaReading, type: GraphQLObjectType): EmbeddedType {
  const known = reading.embeddedTypes.get(type.name);
  if (known) return known;
  const fields = new Map<string, Field>();
  const dropped: string[] = [];
  const embedded: EmbeddedType = {
    name: type.name,
    ...describe(type),
    ...readLabels(reading, type.name, type.astNode),
    fields,
    dropped,
  };
  // Registered before its fields are read, since a type may contain itself.
  reading.embeddedTypes.set(type.name, embedded);
  for (const [name, field] of readFields(reading, type)) fields.set(name, field);
  dropped.push(...readTypeChanges(reading, type, fields).dropped);
  return embedded;
}

/** Returns the description of an SDL node as a member, if it has one. */
export function describe(node: { description?: string | null | undefined }): { description?: string } {
  return node.description ? { description: node.description } : {};
}

function toTitle(values: DirectiveValues | undefined): Pick<Field, 'isTitle' | 'titlePath'> {
  return values ? { isTitle: true, ...(typeof values.path === 'string' && { titlePath: values.path }) } : {};
}

function toConstraint(values: DirectiveValues | undefined): Constraint {
  const given = Object.entries(values ?? {}).filter(([, value]) => value !== null && value !== undefined);
  // The directive's definition fixes the names and types of its arguments.
  return Object.fromEntries(given) as Constraint;
}

/** Finds what a field does not accept about its default. The embedded types in it must be read completely. */
function checkDefault(field: Field): string[] {
  if (!hasDefault(field)) return [];
  if (field.indexed?.unique) return ['a unique field cannot have a default'];
  if (field.default === undefined) return [];
  const findings: Findings = {
    problems: [],
    references: [],
    resolve: undefined,
    appliesDefaults: false,
    hints: true,
  };
  // A default contains no references, so no content types are needed.
  compileFieldCheck(createCatalog([]), field)(field.default, '', findings);
  return findings.problems.map(
    ({ path, message }) => `the default${path && ` at ${path.replace(/^\./, '')}`} ${message}`,
  );
}
