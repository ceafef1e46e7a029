/**
 * Works on many items, some of them at once: the time limit of each begins with its own work, and no request takes all connections.
 */
import { afterStep } from '../../../base/runtime.ts';
import { createTaskQueue } from '../../../base/task-queue.ts';

const maxRunning = 32;

/** Returns the results of `work` for the items, in their order. */
export function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const queue = createTaskQueue(maxRunning);
  const workOn = async (item: Item, index: number) => {
    const result = await work(item, index);
    // What an item takes to prepare, such as the words of long texts, adds up.
    await afterStep(index);
    return result;
  };
  return Promise.all(items.map((item, index) => queue.run(() => workOn(item, index))));
}
