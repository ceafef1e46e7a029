/**
 * Computes the cost of an operation: the number of assets that the store may have to read for it.
 *
 * A list costs its limit times the cost of an item. A reference costs one plus the cost of its target's selection. A list of
 * references or of embedded values costs ten times one of them. A fragment counts at each spread. The document must be valid.
 */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { GraphqlEndpointDefinition } from '../endpoints/graphql-endpoint.ts';
import { addCosts, type Cost, evaluateCost, type Factor, multiplyCost } from './cost.ts';
import { fragmentsOf } from './read-document.ts';

type Limits = Pick<GraphqlEndpointDefinition, 'defaultLimit' | 'maxLimit'>;

/** The cost of one operation. */
export interface OperationCost {
  /** Whether the cost depends on variables. */
  readonly varies: boolean;
  /** Computes the cost for coerced variables, defaults included. */
  measure(variables: Readonly<Record<string, unknown>>): number;
}

/** Computes the cost of one operation of a document. */
export function planCost({
  schema,
  document,
  operation,
  limits,
}: {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  limits: Limits;
}): OperationCost {
  const fragments = fragmentsOf(document);
  const known = new Map<string, Cost>();

  function ofSelections({ selections }: SelectionSetNode, parent: GraphQLNamedType | undefined): Cost {
    return addCosts(selections.map((selection) => ofSelection(selection, parent)));
  }

  function ofSelection(selection: SelectionNode, parent: GraphQLNamedType | undefined): Cost {
    switch (selection.kind) {
      case Kind.FIELD:
        return ofField(selection, parent);
      case Kind.INLINE_FRAGMENT: {
        const condition = selection.typeCondition?.name.value;
        return ofSelections(selection.selectionSet, condition ? schema.getType(condition) : parent);
      }
      case Kind.FRAGMENT_SPREAD:
        return ofFragment(selection.name.value);
    }
  }

  function ofField(node: FieldNode, parent: GraphQLNamedType | undefined): Cost {
    const isIntrospection = node.name.value.startsWith('__');
    if (!node.selectionSet || !isCompositeType(parent) || isIntrospection) return nothing;
    const field = schema.getField(parent, node.name.value);
    if (!field) return nothing;
    const type = getNamedType(field.type);
    const each = addCosts([isAsset(type) ? one : nothing, ofSelections(node.selectionSet, type)]);
    return multiplyCost(timesOf(field, node, limits), each);
  }

  function ofFragment(name: string): Cost {
    const fragment = fragments.get(name);
    if (!fragment) return nothing;
    const type = schema.getType(fragment.typeCondition.name.value);
    const cost = known.get(name) ?? ofSelections(fragment.selectionSet, type);
    known.set(name, cost);
    return cost;
  }

  const cost = ofSelections(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined);
  return {
    varies: cost.parts.length > 0,
    measure: (variables) => evaluateCost(cost, (name) => toLimit(variables[name], limits)),
  };
}

const nothing: Cost = { fixed: 0, parts: [] };
const one: Cost = { fixed: 1, parts: [] };

/** The assumed length of a list of references or embedded values. */
const assumedLength = 10;

function timesOf(field: GraphQLField, node: FieldNode, limits: Limits): Factor {
  if (field.args.some(({ name }) => name === 'limit')) return limitOf(node, limits);
  // The page's list has counted its items by the limit already.
  const isPage = field.parentType?.name === `${getNamedType(field.type).name}List`;
  return isListType(getNullableType(field.type)) && !isPage ? assumedLength : 1;
}

function limitOf(node: FieldNode, limits: Limits): Factor {
  const value = node.arguments?.find(({ name }) => name.value === 'limit')?.value;
  if (value?.kind === Kind.VARIABLE) return { variable: value.name.value };
  return toLimit(value?.kind === Kind.INT ? Number(value.value) : undefined, limits);
}

/** Returns the limit that applies. One out of range is refused when the list runs, which then reads nothing. */
function toLimit(value: unknown, { defaultLimit, maxLimit }: Limits): number {
  return typeof value === 'number' ? Math.min(Math.max(value, 0), maxLimit) : defaultLimit;
}

function isAsset(type: GraphQLNamedType): boolean {
  return (
    isAbstractType(type) ||
    (isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Content'))
  );
}
