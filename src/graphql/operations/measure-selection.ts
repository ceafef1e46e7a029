/**
 * Measures the selection of an operation from its document alone: its depth, and the number of its aliases.
 *
 * A fragment counts wherever it is spread but is measured once, so that fragments which multiply each other take no time. The
 * document need not be valid: a fragment that spreads itself counts as empty there.
 */
import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { fragmentsOf } from './read-document.ts';

/** The size of a selection. */
export interface SelectionSize {
  /** The nesting of fields; introspection does not count. */
  readonly depth: number;
  readonly aliases: number;
}

/** Measures one operation of a document. */
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
