/**
 * Reads `@onDelete` of a field, or of the same field of its interface, and checks that the field can have it.
 */
import { type GraphQLField, Kind } from 'graphql';
import { deletionActions, type Field } from '../model/content-type.ts';
import { findInherited } from './inherited-directives.ts';
import { problemAt } from './parse-types.ts';
import type { Composite, SchemaReading } from './read-directives.ts';

/** Reads the action of a field. An unknown one is recorded as a problem. */
export function readOnDelete(
  { problems, directives }: SchemaReading,
  owner: Composite,
  field: GraphQLField<unknown, unknown>,
): Pick<Field, 'onDelete'> {
  const { directives: nodes } = findInherited(owner, field, 'onDelete');
  const given = nodes[0]?.arguments?.find(({ name }) => name.value === 'action')?.value;
  const action = deletionActions.find((known) => given?.kind === Kind.ENUM && known === given.value);
  if (action) return { onDelete: action };
  if (given?.kind === Kind.ENUM) {
    const message = `@onDelete has no action ${given.value}: write @onDelete(action: ${deletionActions.join(' or ')})`;
    problems.push(problemAt(field.astNode, `${owner.name}.${field.name}: ${message}`));
  } else directives.read({ directives: nodes }, 'onDelete');
  return {};
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
