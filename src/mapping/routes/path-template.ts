/**
 * Paths with parameters, such as `/talks/{slug}`: which requests they match, and which of them could match the same path.
 *
 * A parameter takes one whole segment. All other segments are compared with the path as the client sent it, so a template matches
 * exactly what it says, and percent-encoding matters in the values alone.
 */

const parameterPattern = /^\{(\w+)\}$/;

/** Tells whether a path has parameters. */
export const isTemplate = (path: string): boolean => path.includes('{');

/** Lists the names of the parameters of a path, in order. */
export function parametersOf(path: string): string[] {
  return path.split('/').flatMap((segment) => parameterPattern.exec(segment)?.[1] ?? []);
}

/** Finds the one of the `reserved` paths that a path, which may have parameters, could equal or be below. */
export function findReserved(path: string, reserved: readonly string[]): string | undefined {
  const segments = path.split('/');
  return reserved.find((other) =>
    other.split('/').every((segment, index) => {
      const own = segments[index];
      return own === segment || (own !== undefined && parameterPattern.test(own));
    }),
  );
}

/** A template that matches a path, with the decoded values of its parameters by name. */
export interface TemplateMatch<Value> {
  readonly value: Value;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Templates with a value each. The cost of a search depends on the segments that differ, and not on the number of templates. */
export interface TemplateTree<Value> {
  add(template: string, value: Value): void;
  /** Finds the template that matches a path as it was sent; a parameter matches no empty and no malformed segment. */
  match(path: string): TemplateMatch<Value> | undefined;
  /** Lists the values of the templates that could match a path that `template` matches. */
  findOverlapping(template: string): Value[];
}

interface Entry<Value> {
  /** The names of its parameters, in order. */
  readonly names: readonly string[];
  readonly value: Value;
}

interface Node<Value> {
  /** The number of segments before it. */
  readonly depth: number;
  readonly children: Map<string, Node<Value>>;
  /** The templates that end here. */
  readonly entries: Entry<Value>[];
}

/** The template at the end of a path, with the segments that its parameters took. */
type End<Value> = { readonly entry: Entry<Value>; readonly taken: readonly string[] } | undefined;

/** The child for a parameter. No segment of a path contains a slash. */
const anySegment = '/';

/** Creates a tree without templates. */
export function createTemplateTree<Value>(): TemplateTree<Value> {
  const root = createNode<Value>(0);

  function findEnd(node: Node<Value>, segments: readonly string[], taken: readonly string[]): End<Value> {
    const [entry] = node.entries;
    const segment = segments[node.depth];
    if (segment === undefined) return entry && { entry, taken };
    const exact = node.children.get(segment);
    const child = segment === '' ? undefined : node.children.get(anySegment);
    return (
      (exact && findEnd(exact, segments, taken)) ?? (child && findEnd(child, segments, [...taken, segment]))
    );
  }

  return {
    add(template, value) {
      let node = root;
      for (const segment of template.split('/')) {
        const key = parameterPattern.test(segment) ? anySegment : segment;
        const child = node.children.get(key) ?? createNode<Value>(node.depth + 1);
        node.children.set(key, child);
        node = child;
      }
      node.entries.push({ names: parametersOf(template), value });
    },
    match(path) {
      const end = findEnd(root, path.split('/'), []);
      const values = end?.taken.map(decodeSegment);
      if (!end || !values || values.includes(undefined)) return undefined;
      const { names, value } = end.entry;
      return { value, parameters: new Map(names.map((name, index) => [name, values[index] ?? ''])) };
    },
    findOverlapping(template) {
      let nodes = [root];
      for (const segment of template.split('/')) {
        const isParameter = parameterPattern.test(segment);
        nodes = nodes.flatMap(({ children }) =>
          isParameter
            ? [...children].flatMap(([key, child]) => (key === '' ? [] : child))
            : [children.get(segment), segment === '' ? undefined : children.get(anySegment)].flatMap(
                (child) => child ?? [],
              ),
        );
      }
      return nodes.flatMap(({ entries }) => entries.map(({ value }) => value));
    },
  };
}

const createNode = <Value>(depth: number): Node<Value> => ({ depth, children: new Map(), entries: [] });

/** Decodes a segment; `undefined` if its percent-encoding is malformed. */
function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
