/**
 * Reproducible random values: all of a run follow from its seed, which the report names.
 */
import { createHash } from 'node:crypto';

/** Generates random numbers and texts. */
export interface RandomGenerator {
  /** An integer from 0 to `below`, exclusive. */
  whole(below: number): number;
  one<Item>(items: readonly Item[]): Item | undefined;
  /** A lower-case word of the given length. */
  word(length: number): string;
  uuid(): string;
  /** Begins another stream, which follows from the seed and this name alone. */
  restart(name: string): void;
}

export function createRandomGenerator(seed: string): RandomGenerator {
  let count = 0;
  let stream = '';
  const digest = () => createHash('sha256').update(`${seed} ${stream} ${count++}`).digest();
  const whole = (below: number) => digest().readUIntBE(0, 6) % Math.max(1, below);
  return {
    whole,
    one: (items) => items[whole(items.length)],
    restart(name) {
      stream = name;
      count = 0;
    },
    word: (length) => Array.from({ length }, () => String.fromCharCode(97 + whole(26))).join(''),
    uuid() {
      const hex = digest().toString('hex');
      // The version and the variant of a random UUID.
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    },
  };
}
