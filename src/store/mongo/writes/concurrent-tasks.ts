/**
 * Maps items with a limited number of tasks at once, so that each task's time limit starts when it starts and no batch takes
 * every connection.
 */
import { yieldEvery32Steps } from '../../../base/runtime.ts';
import { createTaskQueue } from '../../../base/task-queue.ts';

const atOnce = 32;

/** Runs `work` for each item, and returns the results in the order of the items. */
export function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const queue = createTaskQueue(atOnce);
  const workOn = async (item: Item, index: number) => {
    const result = await work(item, index);
    // Preparing many items, such as the words of long texts, would block the event loop.
    await yieldEvery32Steps(index);
    return result;
  };
  return Promise.all(items.map((item, index) => queue.run(() => workOn(item, index))));
}
