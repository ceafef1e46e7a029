/**
 * Reads where the values of a document come from, which the shape of its data does not say.
 */
import { type DocumentNode, Kind, parse, print, type SelectionNode, type SelectionSetNode } from 'graphql';

/**
 * Returns what each value of a valid document is read from, by its path: the field with its arguments and directives. Paths consist of
 * response keys; `...` stands before fragments.
 */
export function readFieldSources(document: string): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  const { definitions }: DocumentNode = parse(document, { noLocation: true });
  for (const definition of definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) addSources(definition.selectionSet, '', sources);
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      addSources(definition.selectionSet, `...${definition.name.value}/`, sources);
  }
  return sources;
}

function addSources({ selections }: SelectionSetNode, within: string, sources: Map<string, string>): void {
  for (const selection of selections) {
    const path = within + keyOf(selection);
    const { directives = [] } = selection;
    const parts = [
      ...(selection.kind === Kind.FIELD ? [selection.name.value, ...sorted(selection.arguments)] : []),
      ...sorted(directives),
    ];
    sources.set(path, [...new Set([...(sources.get(path)?.split('\n') ?? []), ...parts])].join('\n'));
    if (selection.kind !== Kind.FRAGMENT_SPREAD && selection.selectionSet)
      addSources(selection.selectionSet, `${path}/`, sources);
  }
}

function keyOf(selection: SelectionNode): string {
  switch (selection.kind) {
    case Kind.FIELD:
      return (selection.alias ?? selection.name).value;
    case Kind.FRAGMENT_SPREAD:
      return `...${selection.name.value}`;
    case Kind.INLINE_FRAGMENT:
      return `... on ${selection.typeCondition?.name.value ?? ''}`;
  }
}

const sorted = (nodes: Parameters<typeof print>[0][] | readonly Parameters<typeof print>[0][] = []) =>
  nodes.map((node) => print(node)).sort();
