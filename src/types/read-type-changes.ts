/**
 * Reads what a type was and which fields it no longer has: `@was(class:)` and `@drops`.
 */
import type { GraphQLNamedType } from 'graphql';
import type { SourceProblem } from '../base/errors.ts';
import type { ContentType, Field } from '../model/content-type.ts';
import { checkDropped } from './check-former-names.ts';
import { problemAt } from './parse-types.ts';
import type { Composite, SchemaReading } from './read-directives.ts';
import { findDirectives } from './read-directives.ts';
import { readFormer } from './read-field-changes.ts';

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

/** Reads the former names of a kind of blocks. Problems are recorded in the reading. */
export const readFormerKinds = (reading: SchemaReading, { astNode }: Composite): string[] =>
  readFormer(reading, astNode, { argument: 'name', place: 'a kind of blocks' });

/** Finds types that state a former name, and are neither content types nor kinds of blocks. */
export function findMisplacedNames(
  { classes, blocks }: Pick<SchemaReading, 'classes' | 'blocks'>,
  named: readonly GraphQLNamedType[],
): SourceProblem[] {
  const isKind = (name: string) => [...blocks.values()].some(({ kinds }) => kinds?.has(name));
  return named
    .filter(({ name }) => !classes.has(name) && !isKind(name))
    .flatMap(({ name, astNode }) => findDirectives(astNode, 'was').map((directive) => ({ name, directive })))
    .map(({ name, directive }) =>
      problemAt(directive, `${name}: @was on a type is for types with @contentType and for kinds of blocks`),
    );
}

function droppedBy({ directives }: SchemaReading, { astNode }: Composite): string[] {
  const fields = directives.read(astNode, 'drops')?.fields;
  return Array.isArray(fields) ? fields.map(String) : [];
}
