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
  type FragmentDefinitionNode,
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
import { fragmentsOf } from './read-document.ts';
import { fieldsIn, isFacets, isList } from './root-fields.ts';

type Limits = Pick<GraphqlEndpointDefinition, 'defaultLimit' | 'maxLimit'>;

export type OperationCost = ReturnType<typeof planCost>;

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
}) {
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
    /** Whether the cost depends on variables. */
    varies: cost.parts.length > 0,
    /** Computes the cost for coerced variables, defaults included. */
    measure: (variables: Readonly<Record<string, unknown>>) =>
      evaluateCost(cost, (name) => toLimit(variables[name], limits)),
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

// Costs as sums of products in which some factors are variables: computed once, evaluated for every run.
//
// Parts may be shared, and each is evaluated once however often it occurs. A cost stops growing at the largest safe integer.

/** A cost: a fixed part, and parts that depend on variables. */
interface Cost {
  readonly fixed: number;
  readonly parts: readonly { readonly times: Factor; readonly cost: Cost }[];
}

/** A number, or the name of the variable that has it. */
type Factor = number | { readonly variable: string };

function addCosts(costs: readonly Cost[]): Cost {
  const varying = costs.filter(({ parts }) => parts.length > 0);
  return {
    fixed: capped(costs.reduce((sum, cost) => sum + (cost.parts.length > 0 ? 0 : cost.fixed), 0)),
    parts: varying.map((cost) => ({ times: 1, cost })),
  };
}

function multiplyCost(times: Factor, cost: Cost): Cost {
  return typeof times === 'number' && cost.parts.length === 0
    ? { fixed: capped(times * cost.fixed), parts: [] }
    : { fixed: 0, parts: [{ times, cost }] };
}

/** Evaluates a cost; `factorOf` returns the number for a variable. */
function evaluateCost(cost: Cost, factorOf: (variable: string) => number): number {
  const known = new Map<Cost, number>();
  const evaluate = (one: Cost): number => {
    const earlier = known.get(one);
    if (earlier !== undefined) return earlier;
    const sum = one.parts.reduce((total, { times, cost: part }) => {
      const factor = typeof times === 'number' ? times : factorOf(times.variable);
      return total + factor * evaluate(part);
    }, one.fixed);
    known.set(one, capped(sum));
    return capped(sum);
  };
  return evaluate(cost);
}

const capped = (number: number) => Math.min(number, Number.MAX_SAFE_INTEGER);

// Measures the selection of an operation from its document alone: its depth, and the number of its aliases.
//
// A fragment counts wherever it is spread but is measured once, so that fragments which multiply each other take no time. The
// document need not be valid: a fragment that spreads itself counts as empty there.

interface SelectionSize {
  /** The nesting of fields; introspection does not count. */
  readonly depth: number;
  readonly aliases: number;
}

export function measureSelection(document: DocumentNode, operation: OperationDefinitionNode): SelectionSize {
  const fragments = fragmentsOf(document);
  const known = new Map<string, SelectionSize>();

  function ofSelections(set: SelectionSetNode | undefined): SelectionSize {
    const sizes = (set?.selections ?? []).map(ofSelection);
    return {
      depth: sizes.reduce((most, { depth }) => Math.max(most, depth), 0),
      aliases: sizes.reduce((sum, { aliases }) => Math.min(sum + aliases, Number.MAX_SAFE_INTEGER), 0),
    };
  }

  function ofSelection(selection: SelectionNode): SelectionSize {
    switch (selection.kind) {
      case Kind.FIELD:
        return ofField(selection);
      case Kind.INLINE_FRAGMENT:
        return ofSelections(selection.selectionSet);
      case Kind.FRAGMENT_SPREAD:
        return ofFragment(selection.name.value);
    }
  }

  function ofField({ name, alias, selectionSet }: FieldNode): SelectionSize {
    const { depth, aliases } = ofSelections(selectionSet);
    const isIntrospection = name.value.startsWith('__');
    return { depth: isIntrospection ? 0 : depth + 1, aliases: aliases + (alias ? 1 : 0) };
  }

  function ofFragment(name: string): SelectionSize {
    const earlier = known.get(name);
    if (earlier) return earlier;
    known.set(name, { depth: 0, aliases: 0 });
    const size = ofSelections(fragments.get(name)?.selectionSet);
    known.set(name, size);
    return size;
  }

  return ofSelections(operation.selectionSet);
}

// Measures how many fields of a document have to be compared, because several places select the same response key.
//
// GraphQL's rule OverlappingFieldsCanBeMerged compares each pair of them, which takes long before it gives up. This measure follows
// the rule but only counts, and stops at its limit. The document need not be valid.

/** The most comparisons, which take the rule some 50 ms. */
const maxComparisons = 100_000;

/** Nested deeper, a selection is refused for its depth or for a cycle of fragments. */
const maxDepth = 100;

/** Tells whether a document needs too many comparisons. */
export function isMergingCostly(document: DocumentNode): boolean {
  const measure = createMeasure(fragmentsOf(document));
  return selectionSetsOf(document).some((set) => measure(set) > maxComparisons);
}

/** Lists the selection sets of a document, except those of inline fragments, which count with the set around them. */
function selectionSetsOf({ definitions }: DocumentNode): SelectionSetNode[] {
  const found: SelectionSetNode[] = [];
  const add = ({ selections }: SelectionSetNode) => {
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) add(selection.selectionSet);
      else if (selection.kind === Kind.FIELD && selection.selectionSet) {
        found.push(selection.selectionSet);
        add(selection.selectionSet);
      }
    }
  };
  for (const definition of definitions) {
    if (!('selectionSet' in definition) || !definition.selectionSet) continue;
    found.push(definition.selectionSet);
    add(definition.selectionSet);
  }
  return found;
}

/** The fields that are selected together, by response key, and what spreading fragments into them costs. */
interface Merged {
  readonly fields: ReadonlyMap<string, readonly FieldNode[]>;
  readonly spreads: ReadonlySet<string>;
}

/** Creates a function that adds the comparisons of one selection set to those of the sets before, and returns the sum. */
function createMeasure(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
  let comparisons = 0;

  function collect(sets: readonly SelectionSetNode[], withFragments: boolean): Merged {
    const fields = new Map<string, FieldNode[]>();
    const spreads = new Set<string>();
    const pending = [...sets];
    for (let set = pending.pop(); set && comparisons <= maxComparisons; set = pending.pop()) {
      comparisons += withFragments ? set.selections.length / selectionsPerComparison : 0;
      for (const selection of set.selections) {
        if (selection.kind === Kind.INLINE_FRAGMENT) pending.push(selection.selectionSet);
        else if (selection.kind === Kind.FIELD) {
          const key = (selection.alias ?? selection.name).value;
          const alike = fields.get(key);
          if (alike) alike.push(selection);
          else fields.set(key, [selection]);
        } else if (!spreads.has(selection.name.value)) {
          spreads.add(selection.name.value);
          const fragment = fragments.get(selection.name.value);
          if (fragment && withFragments) pending.push(fragment.selectionSet);
        }
      }
    }
    return { fields, spreads };
  }

  function compare(sets: readonly SelectionSetNode[], depth: number): void {
    const { fields, spreads } = collect(sets, true);
    comparisons += (spreads.size * (spreads.size - 1)) / 2;
    for (const alike of fields.values()) {
      comparisons += (alike.length * (alike.length - 1)) / 2;
      if (comparisons > maxComparisons) return;
      const inner = alike.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (alike.length > 1 && inner.length > 0 && depth < maxDepth) compare(inner, depth + 1);
    }
  }

  return (set: SelectionSetNode): number => {
    const own = collect([set], false);
    // The rule has nothing to compare for one fragment alone.
    const isTrivial = own.fields.size === 0 && own.spreads.size <= 1;
    if (!isTrivial) compare([set], 0);
    return comparisons;
  };
}

/** To visit a selection takes a part of the time of a comparison. */
const selectionsPerComparison = 5;
