/**
 * Reads `@onDelete` of a field, or of the same field of its interface, and checks that the field can have it.
 */
import type { GraphQLField } from 'graphql';
import type { Field } from '../model/content-type.ts';
import { findInherited } from './inherited-directives.ts';
import type { Composite, SchemaReading } from './read-directives.ts';

/** Reads the action of a field. */
export function readOnDelete(
  { directives }: SchemaReading,
  owner: Composite,
  field: GraphQLField<unknown, unknown>,
): Pick<Field, 'onDelete'> {
  const found = directives.read(findInherited(owner, field, 'onDelete'), 'onDelete');
  return found ? { onDelete: 'RESTRICT' } : {};
}

/** Finds why a field cannot have its action. */
export function checkOnDelete({ onDelete, type, indexed }: Field): string[] {
  if (!onDelete) return [];
  if (type.kind !== 'reference')
    return ['@onDelete is for references to content types and lists of them: leave it out here'];
  return indexed
    ? []
    : [`@onDelete needs an index of the field: write @indexed @onDelete(action: ${onDelete})`];
}
