/**
 * Reads what a type was and which fields it no longer has: `@was(class:)` and `@drops`.
 */
import type { GraphQLNamedType } from 'graphql';
import type { SourceProblem } from '../../base/errors.ts';
import type { ContentType, Field } from '../content-type.ts';
import { checkDropped } from './check-former-names.ts';
import { problemAt } from './parse-types.ts';
import { findDirectives } from './read-directives.ts';
import { readFormer } from './read-field-changes.ts';
import type { Composite, SchemaReading } from './schema-reading.ts';

/**
 * Reads the former classes of a type and the fields that it drops. Problems are recorded in the reading.
 *
 * A type drops what its interfaces drop as well, except fields that it still has.
 */
export function readTypeChanges(
  reading: SchemaReading,
  type: Composite,
  fields: ReadonlyMap<string, Field>,
): Pick<ContentType, 'formerClasses' | 'dropped'> {
  const { problems, classes } = reading;
  const present = [...fields.values()];
  const own = droppedBy(reading, type);
  problems.push(
    ...checkDropped(own, present).map((message) => problemAt(type.astNode, `${type.name}: ${message}`)),
  );
  const inherited = type
    .getInterfaces()
    .flatMap((parent) => droppedBy(reading, parent))
    .filter((name) => !present.some((field) => field.name === name || field.formerNames.includes(name)));
  const formerClasses = classes.has(type.name)
    ? readFormer(reading, type.astNode, { argument: 'class', place: 'a type' })
    : [];
  return { formerClasses, dropped: [...new Set([...own, ...inherited])] };
}

/** Finds types without a class name that state a former one. */
export function findMisplacedClasses(
  classes: SchemaReading['classes'],
  named: readonly GraphQLNamedType[],
): SourceProblem[] {
  return named
    .filter((type) => !classes.has(type.name))
    .flatMap(({ name, astNode }) => findDirectives(astNode, 'was').map((directive) => ({ name, directive })))
    .map(({ name, directive }) =>
      problemAt(directive, `${name}: @was on a type is for types with @contentType`),
    );
}

function droppedBy({ directives }: SchemaReading, { astNode }: Composite): string[] {
  const fields = directives.read(astNode, 'drops')?.fields;
  return Array.isArray(fields) ? fields.map(String) : [];
}
