/**
 * Reads how a field has changed: `@was`, `@default` and `@deprecated`, on the field or on the same field of its interface.
 */
import type { GraphQLField } from 'graphql';
import type { Field } from '../model/content-type.ts';
import { findInherited } from './inherited-directives.ts';
import { problemAt } from './parse-types.ts';
import { readDefault } from './read-default.ts';
import type { Composite, SchemaReading } from './read-directives.ts';

type SdlField = GraphQLField<unknown, unknown>;

/** Reads former names, default and deprecation of a field. Problems are recorded in the reading. */
export function readFieldChanges(
  reading: SchemaReading,
  owner: Composite,
  field: SdlField,
): Pick<Field, 'formerNames' | 'default' | 'defaultVariable' | 'deprecated'> {
  const [was, defaults, deprecations] = ['was', 'default', 'deprecated'].map((name) => {
    const { directives, disagreeing } = findInherited(owner, field, name);
    if (disagreeing) {
      const [one, other] = disagreeing;
      const message = `${one} and ${other} have different @${name}: write @${name} here as well`;
      reading.problems.push(problemAt(field.astNode, `${owner.name}.${field.name}: ${message}`));
    }
    return { directives };
  });
  const { directives } = reading;
  const given = directives.read(defaults, 'default') && defaults?.directives[0];
  const read = given && readDefault(given, field, directives);
  const problem = read && findProblem(read, reading.classes.has(owner.name));
  if (problem !== undefined)
    reading.problems.push(problemAt(field.astNode, `${owner.name}.${field.name}: ${problem}`));
  const reason = directives.read(deprecations, 'deprecated')?.reason;
  return {
    formerNames: readFormer(reading, was, { argument: 'name', place: 'a field' }),
    ...(read && 'value' in read ? { default: read.value } : {}),
    ...(read && 'variable' in read ? { defaultVariable: read.variable } : {}),
    ...(typeof reason === 'string' ? { deprecated: reason } : {}),
  };
}

function findProblem(
  read: NonNullable<ReturnType<typeof readDefault>>,
  isOfContentType: boolean,
): string | undefined {
  if ('problem' in read) return read.problem;
  return 'variable' in read && !isOfContentType
    ? `the default ${read.variable} is for fields of content types, not of embedded ones`
    : undefined;
}

/** Reads the former names of a field or type: the argument that `@was` must have there, and no other. */
export function readFormer(
  { directives, problems }: SchemaReading,
  node: Parameters<SchemaReading['directives']['readAll']>[0],
  { argument, place }: { argument: 'name' | 'class'; place: string },
): string[] {
  const other = argument === 'name' ? 'class' : 'name';
  return directives.readAll(node, 'was').flatMap(({ values, node: at }) => {
    const value = values[argument];
    if (typeof value === 'string' && values[other] == null) return [value];
    problems.push(problemAt(at, `@was on ${place} must have the argument ${argument}, and no other`));
    return [];
  });
}
