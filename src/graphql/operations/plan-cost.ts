/**
 * Computes the cost of an operation: the number of assets that the store may have to read for it.
 *
 * A list costs its limit times the cost of an item, whether its items are selected or only the cursor that follows them; one inside an
 * asset costs what it skips as well. Counting the
 * values of a field costs 1,000. A reference costs one plus the cost of its target's selection. A list of
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
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { facetLimits } from '../../query/facets.ts';
import type { GraphqlEndpointDefinition } from '../endpoints/graphql-endpoint.ts';
import { addCosts, type Cost, evaluateCost, type Factor, multiplyCost } from './cost.ts';
import { fragmentsOf } from './read-document.ts';
import { fieldsIn, isFacets, isList } from './root-fields.ts';

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
    const selected = ofSelections(node.selectionSet, type);
    if (isList(field)) {
      const skipped = parent === schema.getQueryType() ? nothing : multiplyCost(offsetOf(node, limits), one);
      return addCosts([skipped, ofList(node, fieldsIn(node.selectionSet, fragments), selected)]);
    }
    if (isItems(field)) return selected;
    const each = addCosts([isAsset(type) ? one : nothing, selected]);
    return multiplyCost(isListType(getNullableType(field.type)) ? assumedLength : 1, each);
  }

  /** The parts of a page are of the same assets, which are read once. */
  function ofList(node: FieldNode, parts: readonly FieldNode[], selected: Cost): Cost {
    const isRead = parts.some(({ name: { value } }) => value === 'items' || value === 'next');
    const items = multiplyCost(limitOf(node, limits), addCosts([isRead ? one : nothing, selected]));
    return addCosts([items, ...parts.filter(isFacets).map(ofFacets)]);
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

/** The assumed cost of counting the values of one field, which may visit every asset of a type. */
const costOfFacet = 1_000;

function ofFacets(node: FieldNode): Cost {
  const paths = node.arguments?.find(({ name }) => name.value === 'paths')?.value;
  const given = paths?.kind === Kind.LIST ? paths.values.length : facetLimits.paths;
  return { fixed: costOfFacet * Math.min(given, facetLimits.paths), parts: [] };
}

/** Tests whether a field has the items of a page. */
const isItems = ({ type, parentType }: GraphQLField) => parentType?.name === `${getNamedType(type).name}List`;

/** Returns how many assets a list inside each of several assets skips. */
function offsetOf(node: FieldNode, { maxLimit }: Limits): Factor {
  const value = node.arguments?.find(({ name }) => name.value === 'offset')?.value;
  if (value?.kind === Kind.VARIABLE) return maxLimit;
  return value?.kind === Kind.INT ? Math.min(Math.max(Number(value.value), 0), maxLimit) : 0;
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
  if (isUnionType(type)) return type.getTypes().some(isAsset);
  if (!isObjectType(type) && !isInterfaceType(type)) return false;
  return [type, ...type.getInterfaces()].some(({ name }) => name === 'Content');
}
