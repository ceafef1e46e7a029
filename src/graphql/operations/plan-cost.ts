/**
 * Works out what an operation costs: how many assets it could have the store fetch.
 *
 * A list costs its limit times what each item does; a reference one, and what is selected of its target; a list of references or
 * of embedded values ten times what each does. A fragment costs wherever it is spread. The document must be valid.
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

/** What one operation costs. */
export interface OperationCost {
  /** Whether variables decide on it. */
  readonly varies: boolean;
  /** `variables` are coerced, defaults included. */
  measure(variables: Readonly<Record<string, unknown>>): number;
}

/** Works out the cost of one operation of a document. */
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

/** How many references, or embedded values, a list is taken to hold. */
const usualLength = 10;

function timesOf(field: GraphQLField, node: FieldNode, limits: Limits): Factor {
  if (field.args.some(({ name }) => name === 'limit')) return limitOf(node, limits);
  // The items of a page are as many as the limit of its list says.
  const isPage = field.parentType?.name === `${getNamedType(field.type).name}List`;
  return isListType(getNullableType(field.type)) && !isPage ? usualLength : 1;
}

function limitOf(node: FieldNode, limits: Limits): Factor {
  const value = node.arguments?.find(({ name }) => name.value === 'limit')?.value;
  if (value?.kind === Kind.VARIABLE) return { variable: value.name.value };
  return toLimit(value?.kind === Kind.INT ? Number(value.value) : undefined, limits);
}

/** A limit as it will be used; one that is out of range is refused later, and finds nothing. */
function toLimit(value: unknown, { defaultLimit, maxLimit }: Limits): number {
  return typeof value === 'number' ? Math.min(Math.max(value, 0), maxLimit) : defaultLimit;
}

function isAsset(type: GraphQLNamedType): boolean {
  return (
    isAbstractType(type) ||
    (isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Content'))
  );
}
