/** Random choices that a seed determines, so that a drill that has failed can be repeated with the same ones. */

/** Makes choices. */
export interface SeededRandom {
  /** Set COLOPHON_TEST_SEED to this number to have the same choices again. */
  readonly seed: number;
  /** Returns a number from 0 to 1, without 1. */
  next(): number;
  /** Returns a whole number from 0 to `limit`, without it. */
  below(limit: number): number;
  /** Chooses one of several names by their weights. */
  choose<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
}

/** Creates it, with the seed of the environment, or the usual one, or a new one. */
export function createSeededRandom(usual?: number): SeededRandom {
  const seed = Number(process.env.COLOPHON_TEST_SEED ?? usual ?? Math.floor(Math.random() * 2 ** 32));
  let state = seed;
  /** The generator mulberry32. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    seed,
    next,
    below: (limit) => Math.floor(next() * limit),
    choose<Name extends string>(weights: Readonly<Record<Name, number>>) {
      // The keys of the record are the names.
      const entries = Object.entries(weights) as [Name, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      throw new Error('the weights must be positive');
    },
  };
}
