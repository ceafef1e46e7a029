/**
 * Lists the fields that an operation selects at its root and in its lists, and how many assets its lists skip.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { fragmentsOf } from './read-document.ts';

/** Lists the fields that an operation selects at its root, also through fragments. */
export const rootFields = (document: DocumentNode, operation: OperationDefinitionNode): FieldNode[] =>
  fieldsIn(operation.selectionSet, fragmentsOf(document));

/** Counts the members that the data of an operation can have, without `__typename`. */
export function countRootFields(document: DocumentNode, operation: OperationDefinitionNode): number {
  const fields = rootFields(document, operation).filter(({ name }) => name.value !== '__typename');
  return new Set(fields.map(({ name, alias }) => (alias ?? name).value)).size;
}

/** Lists the fields that a selection set selects itself or through fragments. */
export function fieldsIn(
  selectionSet: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): FieldNode[] {
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
  return fieldsOf(selectionSet);
}

/** Finds the innermost list, or other field with arguments, that leads to a place in the data: each field that selects it. */
export function listAt(
  path: readonly (string | number)[],
  document: DocumentNode,
  operation: OperationDefinitionNode,
): readonly FieldNode[] {
  const fragments = fragmentsOf(document);
  let fields = rootFields(document, operation);
  let found: FieldNode[] = [];
  for (const key of path.filter((step) => typeof step === 'string')) {
    const here = fields.filter(({ name, alias }) => (alias ?? name).value === key);
    if (here.some((field) => field.arguments?.length && !isFacets(field))) found = here;
    fields = here.flatMap(({ selectionSet }) => (selectionSet ? fieldsIn(selectionSet, fragments) : []));
  }
  return found;
}

/** Tests whether a field counts values in a list: no other field has its argument. */
export const isFacets = ({ name, arguments: given = [] }: FieldNode) =>
  name.value === 'facets' && given.some((argument) => argument.name.value === 'paths');

/** Tests whether a field is a list with pages: no other field has its argument. */
export const isList = (field: GraphQLField | null | undefined) =>
  field?.args.some(({ name }) => name === 'limit') === true;

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
