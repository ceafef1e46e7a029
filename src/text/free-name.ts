/**
 * Unique names in generated documents and code.
 */

/** Returns the wanted name, or that name with the first number from 2 that makes it unique. */
export type Namer = (wanted: string) => string;

/**
 * Creates a namer, which never returns a name twice.
 *
 * Shapes: `toKey` maps names that count as the same to one text; by default letter case does not count. Names in `taken` are never
 * returned.
 */
export function createNamer({
  taken = [],
  toKey = (name) => name.toLowerCase(),
}: {
  taken?: readonly string[];
  toKey?: (name: string) => string;
} = {}): Namer {
  const used = new Set(taken.map(toKey));
  return (wanted) => {
    let name = wanted;
    for (let number = 2; used.has(toKey(name)); number++) name = `${wanted}${number}`;
    used.add(toKey(name));
    return name;
  };
}
