/**
 * Works on many things, some of them at once: each has its time to wait for MongoDB from its own beginning, and none of them
 * takes all connections.
 */
import { afterStep } from '../../../base/runtime.ts';

const atOnce = 32;

/** What `work` gives for each item, in their order. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  const left = items.entries();
  const workOn = async () => {
    for (const [index, item] of left) {
      results.set(index, await work(item, index));
      // What an item takes to prepare, such as the words of long texts, adds up.
      await afterStep(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workOn));
  // Every place has a result when all work has ended.
  return items.map((_, index) => results.get(index) as Result);
}
