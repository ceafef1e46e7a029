/**
 * Maps items with a limited number of tasks at once, so that each task's time limit starts when it starts and no batch takes
 * every connection.
 */
import { afterStep } from '../../../base/runtime.ts';

const atOnce = 32;

/** Runs `work` for each item, and returns the results in the order of the items. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  const left = items.entries();
  const workOn = async () => {
    for (const [index, item] of left) {
      results.set(index, await work(item, index));
      // Preparing many items, such as the words of long texts, would block the event loop.
      await afterStep(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workOn));
  // Every index has a result once all work has ended.
  return items.map((_, index) => results.get(index) as Result);
}
