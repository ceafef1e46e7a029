/**
 * Keeps the writes to one asset in the order they were requested: the driver sends them over several connections, where one
 * may overtake another.
 */
import { operationLimitMs, withinLimit } from './transaction.ts';

/**
 * Runs work after all earlier work with one of the same ids has ended, however it ended.
 *
 * Errors: those of the work; store_busy, without running it, when the earlier work takes too long.
 */
export type InOrder = <Result>(
  ids: string | readonly string[],
  work: () => Promise<Result>,
) => Promise<Result>;

/** Creates an order that is independent of all others. */
export function createWriteOrder(): InOrder {
  const latest = new Map<string, Promise<unknown>>();
  return (ids, work) => {
    const all = new Set([ids].flat());
    const earlier = [...all].flatMap((id) => latest.get(id) ?? []);
    const earlierDone =
      earlier.length > 0
        ? withinLimit(() => Promise.allSettled(earlier), operationLimitMs)
        : Promise.resolve();
    const result = earlierDone.then(work);
    for (const id of all) latest.set(id, result);
    const forget = () => {
      for (const id of all) if (latest.get(id) === result) latest.delete(id);
    };
    result.then(forget, forget);
    return result;
  };
}
