/**
 * Checks the filter of a list as far as the document gives it. GraphQL has checked its types.
 */
import { type FieldNode, Kind, type ValueNode } from 'graphql';
import type { ContentType } from '../../model/content-type.ts';
import { type FilterPlace, FilterVariable } from '../filters/filter-scope.ts';
import { describeProblem, type FilterReader } from '../filters/read-filter.ts';
import type { DocumentProblem } from '../operation.ts';
import { positionOf } from '../operations/read-document.ts';
import type { KnownValue } from './known-argument.ts';

/** Finds all problems of the filter of a list of assets of a type. A variable has its default, if it has one. */
export function checkFilter(
  field: FieldNode,
  {
    type,
    filters,
    resolve,
  }: { type: ContentType; filters: FilterReader; resolve: (node: ValueNode) => KnownValue },
): DocumentProblem[] {
  const node = findFilter(field);
  const filter = node && toFilterValue(node, resolve);
  if (!node || filter === null) return [];
  return filters.inspect(type, filter).problems.map((problem) => ({
    message: `filter ${describeProblem(problem)}`,
    ...positionOf(findInside(node, problem.at).node),
  }));
}

/** Returns the filter that a document gives to a list. */
export const findFilter = ({ arguments: given = [] }: FieldNode): ValueNode | undefined =>
  given.find(({ name }) => name.value === 'filter')?.value;

/** Makes the value of a literal; variables that `resolve` does not know remain. */
export function toFilterValue(node: ValueNode, resolve: (node: ValueNode) => KnownValue): unknown {
  switch (node.kind) {
    case Kind.VARIABLE: {
      const known = resolve(node);
      if (known === 'unknown') return new FilterVariable(node.name.value);
      return known === 'absent' ? null : toFilterValue(known, resolve);
    }
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.LIST:
      return node.values.map((item) => toFilterValue(item, resolve));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, toFilterValue(value, resolve)]),
      );
    default:
      return node.value;
  }
}

/** Goes into a literal as far as it has what the place names; a single value is its own only item. `rest` is what remains, inside a variable. */
export function findInside(
  node: ValueNode,
  [key, ...rest]: FilterPlace,
): { node: ValueNode; rest: FilterPlace } {
  if (key === undefined) return { node, rest: [] };
  if (typeof key === 'number') {
    const item = node.kind === Kind.LIST ? node.values[key] : node.kind === Kind.OBJECT ? node : undefined;
    return item ? findInside(item, rest) : { node, rest: [key, ...rest] };
  }
  const member = node.kind === Kind.OBJECT ? node.fields.find(({ name }) => name.value === key) : undefined;
  return member ? findInside(member.value, rest) : { node, rest: [key, ...rest] };
}
