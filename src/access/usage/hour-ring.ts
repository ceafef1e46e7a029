/**
 * The requests of one route in the last hour: a histogram of their durations for each five minutes.
 *
 * All numbers lie in one array, so adding a request allocates nothing.
 */

/** The length of a step. */
export const slotMs = 300_000;
/** How many steps are kept: the current one and those that complete an hour. */
export const slotCount = 12;

/** The upper bounds of all buckets but the last, in milliseconds; each is the square root of 2 times the one before. */
export const hourBoundsMs: readonly number[] = Array.from({ length: 36 }, (_, n) => 2 ** ((n - 4) / 2));

/** The buckets, then the number of errors. */
const errorsAt = hourBoundsMs.length + 1;
const width = errorsAt + 1;

/** The requests of a route; a slot is the number of steps since 1970. */
export interface HourRing {
  add(slot: number, request: { readonly isError: boolean; readonly ms: number }): void;
  /** Adds up the steps of the last hour. */
  sum(slot: number): { readonly counts: readonly number[]; readonly errors: number };
  isUnused(slot: number): boolean;
}

/** Creates the counts of a route. */
export function createHourRing(): HourRing {
  const numbers = new Uint32Array(slotCount * width);
  /** Which slot each step of the array holds; an older one has expired. */
  const slots = new Float64Array(slotCount).fill(-1);
  const isCurrent = (held: number, slot: number) => held > slot - slotCount && held <= slot;

  return {
    add(slot, { isError, ms }) {
      const step = slot % slotCount;
      const start = step * width;
      if (slots[step] !== slot) {
        // What the step held is more than an hour old.
        numbers.fill(0, start, start + width);
        slots[step] = slot;
      }
      increment(numbers, start + bucketOf(ms));
      if (isError) increment(numbers, start + errorsAt);
    },
    sum(slot) {
      const sums = new Array<number>(width).fill(0);
      for (let step = 0; step < slotCount; step++) {
        if (!isCurrent(slots[step] ?? -1, slot)) continue;
        for (let n = 0; n < width; n++) sums[n] = (sums[n] ?? 0) + (numbers[step * width + n] ?? 0);
      }
      return { counts: sums.slice(0, errorsAt), errors: sums[errorsAt] ?? 0 };
    },
    isUnused: (slot) => slots.every((held) => !isCurrent(held, slot)),
  };
}

function increment(numbers: Uint32Array, index: number): void {
  numbers[index] = (numbers[index] ?? 0) + 1;
}

/** The bucket of a duration; its bound is the first that is not shorter. */
function bucketOf(ms: number): number {
  const bucket = Math.ceil(Math.log2(ms) * 2) + 4;
  return Math.min(Math.max(bucket, 0), hourBoundsMs.length);
}
