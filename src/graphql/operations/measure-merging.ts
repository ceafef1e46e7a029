/**
 * Measures how many fields of a document have to be compared, because several places select the same response key.
 *
 * GraphQL's rule OverlappingFieldsCanBeMerged compares each pair of them, which takes long before it gives up. This measure follows
 * the rule but only counts, and stops at its limit. The document need not be valid.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { fragmentsOf } from './read-document.ts';

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
