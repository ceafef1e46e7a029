/**
 * Checks the filter of a list as far as the document gives it. GraphQL has checked its types.
 */

import {
  type ConstValueNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  visit,
} from 'graphql';
import type { ContentType } from '../../model/content-type.ts';
import { type FilterPlace, FilterVariable } from '../filters/filter-types.ts';
import { describeProblem, type FilterReader } from '../filters/read-filter.ts';
import type { DocumentProblem, EmptyFilter } from '../operation.ts';
import { fragmentsOf, positionOf } from '../operations/read-document.ts';

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

// Finds conditions of filters that a document leaves empty, `or: []` and `in: []`. They are valid and hold for nothing, which is rarely meant;
// a variable may be empty on purpose.

/** Finds the empty conditions in the filters of one operation of a valid document. */
export function findEmptyFilters(document: DocumentNode, operation: OperationDefinitionNode): EmptyFilter[] {
  const found: EmptyFilter[] = [];
  const definitions = [operation, ...fragmentsOf(document).values()];
  visit(
    { kind: Kind.DOCUMENT, definitions },
    {
      Field(field) {
        const filter = findFilter(field);
        if (!filter) return;
        visit(filter, {
          ObjectField({ name: { value: name }, value }) {
            if ((name !== 'or' && name !== 'in') || value.kind !== Kind.LIST || value.values.length > 0)
              return;
            found.push({ list: field.name.value, condition: `${name}: []`, ...positionOf(value) });
          },
        });
      },
    },
  );
  return found;
}

/** A literal, no value, or a value that only the request has. A literal list may contain variables. */
export type KnownValue = ValueNode | 'absent' | 'unknown';

/** Reads the values that one operation gives to arguments. */
export type KnownValues = ReturnType<typeof createKnownValues>;

/** Creates the reader for one operation. */
export function createKnownValues({ variableDefinitions = [] }: OperationDefinitionNode) {
  const defaults = new Map<string, ConstValueNode | undefined>(
    variableDefinitions.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
  );

  /** Reads a value; of a variable, its default. */
  function resolve(node: ValueNode | undefined): KnownValue {
    if (!node || node.kind === Kind.NULL) return 'absent';
    if (node.kind !== Kind.VARIABLE) return node;
    const value = defaults.get(node.name.value);
    return value ? resolve(value) : 'unknown';
  }

  const givenTo = (field: FieldNode, name: string) =>
    field.arguments?.find((argument) => argument.name.value === name)?.value;

  return {
    resolve,
    /** Reads an argument; of a variable, its default. */
    argument: (field: FieldNode, name: string): KnownValue => resolve(givenTo(field, name)),
    /** Reads an argument that no request can change; a variable is unknown. */
    fixed: (field: FieldNode, name: string): KnownValue => {
      const value = givenTo(field, name);
      return value?.kind === Kind.VARIABLE ? 'unknown' : resolve(value);
    },
    /** Lists the items of a list; a single value is its own only item. */
    items(value: KnownValue) {
      if (value === 'unknown') return value;
      if (value === 'absent') return [];
      return value.kind === Kind.LIST ? value.values : [value];
    },
  };
}
