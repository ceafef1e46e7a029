/**
 * A memory of what was made of texts, which keeps those that were used last.
 */

/** How much is kept. */
export interface MemoryBounds {
  readonly entries: number;
  /** Of all keys together. */
  readonly characters: number;
}

/**
 * Makes a function that makes each value once, for as long as its key is among the latest. A key that would take more than a
 * tenth of the room is not kept.
 */
export function rememberLatest<Value>(bounds: MemoryBounds): (key: string, make: () => Value) => Value {
  // A map keeps the order of insertion, so its first key is the one unused for longest.
  const known = new Map<string, { readonly value: Value }>();
  let characters = 0;

  function forget(key: string): void {
    if (known.delete(key)) characters -= key.length;
  }

  return (key, make) => {
    if (key.length * 10 > bounds.characters) return make();
    const entry = known.get(key) ?? { value: make() };
    forget(key);
    known.set(key, entry);
    characters += key.length;
    for (const [oldest] of known) {
      if (known.size <= bounds.entries && characters <= bounds.characters) break;
      forget(oldest);
    }
    return entry.value;
  };
}
