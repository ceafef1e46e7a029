/**
 * Keeps the writes to one asset in the order they were asked for: the driver sends them over several connections, where one
 * may overtake another.
 */

/** Runs work after all earlier work with the same id has ended, however it ended. */
export type InOrder = <Result>(id: string, work: () => Promise<Result>) => Promise<Result>;

/** Creates an order of its own. */
export function createWriteOrder(): InOrder {
  const latest = new Map<string, Promise<unknown>>();
  return (id, work) => {
    const result = (latest.get(id) ?? Promise.resolve()).then(work, work);
    latest.set(id, result);
    const forget = () => {
      if (latest.get(id) === result) latest.delete(id);
    };
    result.then(forget, forget);
    return result;
  };
}
