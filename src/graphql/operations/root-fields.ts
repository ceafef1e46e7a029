/**
 * Lists the fields that an operation selects at its root, and how many assets its lists skip there.
 */
import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { fragmentsOf } from './read-document.ts';

/** Lists the fields that an operation selects at its root, also through fragments. */
export function rootFields(document: DocumentNode, operation: OperationDefinitionNode): FieldNode[] {
  const fragments = fragmentsOf(document);
  const visited = new Set<string>();
  const fieldsOf = ({ selections }: SelectionSetNode): FieldNode[] =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsOf(selection.selectionSet);
      const name = selection.name.value;
      const fragment = visited.has(name) ? undefined : fragments.get(name);
      visited.add(name);
      return fragment ? fieldsOf(fragment.selectionSet) : [];
    });
  return fieldsOf(operation.selectionSet);
}

/**
 * Returns a function that computes, for coerced variables, how many assets the lists of an operation skip together. The list that
 * skips most does not count: a single list may begin anywhere.
 */
export function planSkips(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (variables: Readonly<Record<string, unknown>>) => number {
  const offsets = rootFields(document, operation).flatMap(
    ({ arguments: given = [] }) => given.find(({ name }) => name.value === 'offset')?.value ?? [],
  );
  if (offsets.length < 2) return () => 0;
  return (variables) => {
    const skipped = offsets.map((offset) => Math.max(0, Number(readNumber(offset, variables) ?? 0)));
    return skipped.reduce((sum, count) => sum + count, 0) - Math.max(...skipped);
  };
}

function readNumber(value: ValueNode, variables: Readonly<Record<string, unknown>>): unknown {
  if (value.kind === Kind.VARIABLE) return variables[value.name.value];
  return value.kind === Kind.INT ? value.value : undefined;
}
