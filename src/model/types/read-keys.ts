/**
 * Reads the keys of a type that consist of several fields: `@unique`.
 */
import type { GraphQLNamedType } from 'graphql';
import type { SourceProblem } from '../../base/errors.ts';
import { suggest } from '../../text/suggest.ts';
import { type Field, siteOwnerField } from '../content-type.ts';
import { scalars } from '../values/scalars.ts';
import { problemAt } from './parse-types.ts';
import { findDirectives } from './read-directives.ts';
import type { Composite, SchemaReading } from './schema-reading.ts';

/** Reads the JSON names of the fields of each key. Problems are recorded in the reading. */
export function readKeys(
  { directives, problems }: SchemaReading,
  { name: owner, astNode }: Composite,
  fields: ReadonlyMap<string, Field>,
): string[][] {
  const keys: string[][] = [];
  for (const { values, node } of directives.readAll(astNode, 'unique')) {
    const names = Array.isArray(values.fields) ? values.fields.map(String) : [];
    const found = checkKey(names, fields);
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

function checkKey(names: readonly string[], fields: ReadonlyMap<string, Field>): string[] {
  const repeated = names.filter((name, index) => names.indexOf(name) < index);
  if (repeated.length > 0) return [`names ${repeated[0]} twice`];
  const problems = names.flatMap((name) => {
    const field = fields.get(name);
    const reason = field ? findReason(field) : `which the type lacks${suggest([name], fields.keys())}`;
    return reason ? [`names ${name}, ${reason}`] : [];
  });
  if (problems.length > 0) return problems;
  const [first, ...others] = names.filter((name) => name !== siteOwnerField);
  if (first === undefined) return ['needs a field other than the site owner'];
  return others.length === 0 && names.length === 1
    ? [`has one field: mark it with @indexed(unique: true)`]
    : [];
}

/** Returns why a field cannot be part of a key; `undefined` if it can. */
function findReason({ type, list }: Field): string | undefined {
  if (list) return 'which is a list';
  if (type.kind === 'embedded') return 'which is an embedded value';
  return type.kind === 'scalar' && !scalars[type.scalar].indexable ? `which is ${type.scalar}` : undefined;
}

/** Finds types without a class name that have a key. */
export function findMisplacedKeys(
  classes: SchemaReading['classes'],
  named: readonly GraphQLNamedType[],
): SourceProblem[] {
  return named
    .filter(({ name }) => !classes.has(name))
    .flatMap(({ name, astNode }) =>
      findDirectives(astNode, 'unique').map((node) =>
        problemAt(node, `${name}: @unique is for types with @contentType`),
      ),
    );
}
