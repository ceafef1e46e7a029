/**
 * Reads the fields of `@inverse`, which list the assets that refer to an asset. They are no fields of the model: nothing stores them.
 */
import {
  type GraphQLField,
  getNamedType,
  getNullableType,
  isAbstractType,
  isInterfaceType,
  isListType,
  isObjectType,
} from 'graphql';
import { suggest } from '../../text/suggest.ts';
import type { InverseField } from '../content-type.ts';
import { toJsonName } from './check-field.ts';
import { problemAt } from './parse-types.ts';
import { findDirectives } from './read-directives.ts';
import { type Composite, classOf, type SchemaReading } from './schema-reading.ts';

type SdlField = GraphQLField<unknown, unknown>;

/** Reads the inverse fields of a content type. Problems are recorded in the reading. */
export function readInverses(reading: SchemaReading, owner: Composite): InverseField[] {
  return Object.values(owner.getFields()).flatMap((field) => {
    if (findDirectives(field.astNode, 'inverse').length === 0) return [];
    const problems = findProblems(reading, owner, field);
    reading.problems.push(
      ...problems.map((message) => problemAt(field.astNode, `${owner.name}.${field.name}: ${message}`)),
    );
    const { name: graphqlName, description, deprecationReason: deprecated } = field;
    return [
      {
        graphqlName,
        ...(description && { description }),
        ...(deprecated != null && { deprecated }),
        target: classOf(reading, getNamedType(field.type).name),
        field: nameIn(reading, field),
      },
    ];
  });
}

const nameIn = ({ directives }: SchemaReading, { astNode }: SdlField) =>
  String(directives.read(astNode, 'inverse')?.field);

function findProblems(reading: SchemaReading, owner: Composite, field: SdlField): string[] {
  const { classes } = reading;
  if (!isObjectType(owner)) return ['@inverse is for fields of object types with @contentType'];
  if (owner.getInterfaces().some((parent) => parent.getFields()[field.name]))
    return ['a field with @inverse cannot be that of an interface'];
  const others = (field.astNode?.directives ?? []).map(({ name }) => name.value);
  const stranger = others.find((name) => name !== 'inverse' && name !== 'deprecated');
  if (stranger) return [`a field with @inverse is not stored, so it cannot have @${stranger}`];
  const target = getNamedType(field.type);
  if (!isListType(getNullableType(field.type)) || !isObjectType(target) || !classes.has(target.name))
    return ['@inverse is for a list of one content type, such as [Article!]'];
  return checkCounterpart(reading, owner, { target, name: nameIn(reading, field) });
}

function checkCounterpart(
  { schema, directives }: SchemaReading,
  owner: Composite,
  { target, name }: { target: Composite; name: string },
): string[] {
  const fields = Object.values(target.getFields());
  const names = fields.map((field) => toJsonName(field.name, directives.read(field.astNode, 'json')));
  const counterpart = fields[names.indexOf(name)];
  if (!counterpart) return [`@inverse names ${name}, which ${target.name} lacks${suggest([name], names)}`];
  const type = getNamedType(counterpart.type);
  const leadsHere =
    type === owner || (isAbstractType(type) && isObjectType(owner) && schema.isSubType(type, owner));
  const isInverse = findDirectives(counterpart.astNode, 'inverse').length > 0;
  if (!leadsHere || isInverse)
    return [`@inverse names ${name}, which is no reference of ${target.name} to ${owner.name}`];
  return directives.read(counterpart.astNode, 'indexed')
    ? []
    : [`@inverse names ${name}, which needs @indexed in ${target.name}`];
}

/** Finds fields of `@inverse` in types that are no content types. */
export function findMisplacedInverses({ schema, classes }: Pick<SchemaReading, 'schema' | 'classes'>) {
  return Object.values(schema.getTypeMap())
    .filter((type) => (isObjectType(type) || isInterfaceType(type)) && !classes.has(type.name))
    .flatMap((type) => (isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []))
    .flatMap(({ name, astNode }) =>
      findDirectives(astNode, 'inverse').map((node) =>
        problemAt(node, `${name}: @inverse is for fields of object types with @contentType`),
      ),
    );
}
