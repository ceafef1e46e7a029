/**
 * Chance that can be had again: all that a run makes up follows from its seed, which the report names.
 */
import { createHash } from 'node:crypto';

/** Draws numbers and texts, one after the other. */
export interface Draw {
  /** A whole number from 0 up to, and without, `below`. */
  whole(below: number): number;
  /** One of several. */
  one<Item>(items: readonly Item[]): Item | undefined;
  /** A lower-case word of so many letters. */
  word(length: number): string;
  /** A UUID. */
  uuid(): string;
  /** Begins another stream of draws, which follows from the seed and this name alone. */
  restart(name: string): void;
}

/** Begins a stream of draws. */
export function createDraw(seed: string): Draw {
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
