/**
 * Reads the directives of content types: their labels, the path of their previews, their keys, and lists of the assets that refer to them.
 */

import {
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isInterfaceType,
  isListType,
  isObjectType,
} from 'graphql';
import type { SourceProblem } from '../base/errors.ts';
import {
  type ContentType,
  type Field,
  type InverseField,
  type LabelColor,
  labelColors,
  type ScalarName,
  siteOwnerField,
  type ValueLabel,
} from '../model/content-type.ts';
import { scalars } from '../model/values/scalars.ts';
import { suggest } from '../text/suggest.ts';
import { toJsonName } from './check-field.ts';
import { problemAt } from './parse-types.ts';
import {
  type Composite,
  classOf,
  type DirectiveOwner,
  type DirectiveReader,
  findDirectives,
  type SchemaReading,
} from './read-directives.ts';

type Reading = Pick<SchemaReading, 'directives' | 'problems'>;

/** The most characters of a label or a name of a group. */
const maxLength = 60;

/** Reads the label and the group of a type or a field; `owner` names it in problems. */
export function readLabels(
  reading: Reading,
  owner: string,
  node: DirectiveOwner,
): Pick<Field, 'label' | 'group'> {
  const values = reading.directives.read(node, 'label');
  if (values && values.text == null) report(reading, node, `${owner}: @label needs a text here`);
  if (values && values.color != null)
    report(reading, node, `${owner}: @label has a color only on values of enums`);
  const label = readText(reading, owner, { node, name: 'label', value: values?.text });
  const group = readText(reading, owner, {
    node,
    name: 'group',
    value: reading.directives.read(node, 'group')?.name,
  });
  return { ...(label !== undefined && { label }), ...(group !== undefined && { group }) };
}

/** Reads the labels of the values of an enum that have one. */
export function readValueLabels(reading: Reading, type: GraphQLEnumType): Map<string, ValueLabel> {
  const labels = new Map<string, ValueLabel>();
  for (const { name, astNode } of type.getValues()) {
    const values = reading.directives.read(astNode, 'label');
    if (!values) continue;
    const owner = `${type.name}.${name}`;
    const text = readText(reading, owner, { node: astNode, name: 'label', value: values.text });
    const color = values.color == null ? undefined : String(values.color);
    if (text === undefined && color === undefined)
      report(reading, astNode, `${owner}: @label needs a text or a color`);
    if (color !== undefined && !isLabelColor(color))
      report(
        reading,
        astNode,
        `${owner}: @label has the color ${color}; there are ${labelColors.join(', ')}`,
      );
    else labels.set(name, { ...(text !== undefined && { text }), ...(color !== undefined && { color }) });
  }
  return labels;
}

/** Finds groups of types that are no content types: only these stand in the navigation. */
export function findMisplacedGroups(
  classes: SchemaReading['classes'],
  named: readonly GraphQLNamedType[],
): SourceProblem[] {
  return named
    .filter(({ name }) => !classes.has(name))
    .flatMap(({ name, astNode }) =>
      findDirectives(astNode, 'group').map((node) =>
        problemAt(node, `${name}: @group on a type is for types with @contentType`),
      ),
    );
}

const isLabelColor = (color: string): color is LabelColor => labelColors.some((known) => known === color);

function readText(
  reading: { readonly directives: DirectiveReader; readonly problems: SourceProblem[] },
  owner: string,
  { node, name, value }: { node: DirectiveOwner; name: string; value: unknown },
): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (text !== '' && text.length <= maxLength && !/\p{C}/u.test(text)) return text;
  report(reading, node, `${owner}: @${name} needs a text of 1 to ${maxLength} characters in one line`);
  return undefined;
}

function report({ problems }: Pick<Reading, 'problems'>, node: DirectiveOwner, message: string): void {
  problems.push(problemAt(node, message));
}

const fixedSegment = /^[A-Za-z0-9._~-]+$/;
const fieldSegment = /^\{([^{}]+)\}$/;
const shown: readonly ScalarName[] = ['String', 'ID', 'Int', 'Date'];

/** Reads the path of a type that has one. Problems are recorded in the reading. */
export function readPreviewPath(
  { directives, problems }: SchemaReading,
  { name: owner, astNode }: Composite,
  fields: ReadonlyMap<string, Field>,
): Pick<ContentType, 'previewPath'> {
  const path = directives.read(astNode, 'preview')?.path;
  if (typeof path !== 'string') return {};
  const found = checkPath(path, fields);
  const [node] = findDirectives(astNode, 'preview');
  problems.push(...found.map((message) => problemAt(node, `${owner}: @preview ${message}`)));
  return { previewPath: path };
}

/** Lists the JSON names in a path, in order. */
const fieldsInPath = (path: string): readonly string[] =>
  path.split('/').flatMap((segment) => fieldSegment.exec(segment)?.[1] ?? []);

function checkPath(path: string, fields: ReadonlyMap<string, Field>): string[] {
  const [first, ...segments] = path.replace(/(?<=.)\/$/, '').split('/');
  if (first !== '' || segments.length === 0)
    return [`has the path ${JSON.stringify(path)}, which must begin with /`];
  if (path === '/') return [];
  const wrong = segments.find(
    (one) => !fieldSegment.test(one) && (!fixedSegment.test(one) || one === '.' || one === '..'),
  );
  if (wrong !== undefined)
    return [
      `has the segment ${JSON.stringify(wrong)}: a segment is a field such as {slug}, or letters, digits, "-", ".", "_" and "~"`,
    ];
  return fieldsInPath(path).flatMap((name) => checkField(name, fields));
}

function checkField(name: string, fields: ReadonlyMap<string, Field>): string[] {
  if (name === '_id') return [];
  const field = fields.get(name);
  if (!field) return [`names ${name}, which the type lacks${suggest([name], fields.keys())}`];
  const { type, list } = field;
  const isShown = type.kind === 'enum' || (type.kind === 'scalar' && shown.includes(type.scalar));
  return isShown && !list ? [] : [`names ${name}, which is not one ${shown.join(', ')} or enum`];
}

/** Finds types without `@contentType` that have a directive of content types. */
export function findMisplaced(
  directive: 'check' | 'preview' | 'unique',
  classes: SchemaReading['classes'],
  named: readonly GraphQLNamedType[],
): SourceProblem[] {
  return named
    .filter(({ name }) => !classes.has(name))
    .flatMap(({ name, astNode }) =>
      findDirectives(astNode, directive).map((node) =>
        problemAt(node, `${name}: @${directive} is for types with @contentType`),
      ),
    );
}

/** Reads the JSON names of the fields of each key without a condition. Problems are recorded in the reading. */
export function readKeys(
  { directives, problems }: SchemaReading,
  { name: owner, astNode }: Composite,
  fields: ReadonlyMap<string, Field>,
): string[][] {
  const keys: string[][] = [];
  for (const { values, node } of directives.readAll(astNode, 'unique')) {
    if (typeof values.where === 'string') continue;
    const names = Array.isArray(values.fields) ? values.fields.map(String) : [];
    const found = checkKey(names, fields);
    if (found.length === 0 && names.length === 1)
      found.push('has one field: mark it with @indexed(unique: true)');
    if (keys.some((other) => isSameKey(other, names))) found.push('is the same key as one before');
    problems.push(
      ...found.map((message) => problemAt(node, `${owner}: @unique(${names.join(', ')}) ${message}`)),
    );
    if (found.length === 0) keys.push(names);
  }
  return keys;
}

/** Tells whether two lists name the same fields, in whatever order. */
export const isSameKey = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((name) => other.includes(name));

/** Lists what is wrong with the fields of a key. */
export function checkKey(names: readonly string[], fields: ReadonlyMap<string, Field>): string[] {
  const repeated = names.filter((name, index) => names.indexOf(name) < index);
  if (repeated.length > 0) return [`names ${repeated[0]} twice`];
  const problems = names.flatMap((name) => {
    const field = fields.get(name);
    const reason = field ? findReason(field) : `which the type lacks${suggest([name], fields.keys())}`;
    return reason ? [`names ${name}, ${reason}`] : [];
  });
  if (problems.length > 0) return problems;
  const isAny = names.some((name) => name !== siteOwnerField);
  return isAny ? [] : ['needs a field other than the site owner'];
}

/** Returns why a field cannot be part of a key; `undefined` if it can. */
function findReason({ type, list }: Field): string | undefined {
  if (list) return 'which is a list';
  if (type.kind === 'embedded') return 'which is an embedded value';
  return type.kind === 'scalar' && !scalars[type.scalar].indexable ? `which is ${type.scalar}` : undefined;
}

// Reads the fields of `@inverse`, which list the assets that refer to an asset. They are no fields of the model: nothing stores them.

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
