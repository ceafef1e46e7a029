/**
 * A queue in which clients take turns: the client with the fewest running calls is next, and among several
 * the one whose last turn is longest ago. The calls of one client run in their order.
 */

/** A call in the queue. */
export interface QueuedCall {
  /** Whose turn it takes. */
  readonly client: string;
  /** Whether it was asked to stop, so that it makes room for another client and runs again later. */
  isPreempted: boolean;
  /** When it was taken last. */
  takenMs?: number;
}

/** Receives how long a call of a client has run, also one that was put back. */
export type RunObserver = (client: string, ms: number) => void;

/** The calls that wait, and those that were taken and have not finished. */
export interface FairQueue<Item extends QueuedCall> {
  /** Adds a call behind those of its client; returns false when too many of them wait. */
  add(item: Item): boolean;
  /** Puts calls that were taken before all others of their clients, in the given order. */
  putBack(items: readonly Item[]): void;
  /** Returns the number of waiting calls. */
  size(): number;
  /** Takes the next call. */
  take(): Item | undefined;
  /** Removes a waiting call; returns whether it was one. */
  remove(item: Item): boolean;
  /** Removes all waiting calls and returns them. */
  removeAll(): Item[];
  /** Forgets a call that was taken. */
  finish(item: Item): void;
  /** Finds the latest call of a client that runs several while another client waits and runs none. */
  findExcess(): Item | undefined;
}

interface ClientCalls<Item> {
  readonly waiting: Item[];
  readonly running: Set<Item>;
}

/** Creates the queue; at most `maxWaiting` calls of each client wait. */
export function createFairQueue<Item extends QueuedCall>(
  maxWaiting = Number.POSITIVE_INFINITY,
  onRun?: RunObserver,
): FairQueue<Item> {
  /** The client whose last turn is longest ago comes first. */
  const clients = new Map<string, ClientCalls<Item>>();
  const callsOf = (client: string) => {
    const calls = clients.get(client) ?? { waiting: [], running: new Set<Item>() };
    clients.set(client, calls);
    return calls;
  };
  const removeIfIdle = (client: string, { waiting, running }: ClientCalls<Item>) => {
    if (waiting.length === 0 && running.size === 0) clients.delete(client);
  };
  const observe = (item: Item) => {
    if (item.takenMs !== undefined) onRun?.(item.client, performance.now() - item.takenMs);
    delete item.takenMs;
  };
  const finish = (item: Item) => {
    observe(item);
    const calls = callsOf(item.client);
    calls.running.delete(item);
    removeIfIdle(item.client, calls);
  };
  return {
    add(item) {
      const { waiting } = callsOf(item.client);
      if (waiting.length >= maxWaiting) return false;
      waiting.push(item);
      return true;
    },
    putBack(items) {
      for (const item of items.toReversed()) {
        const { waiting, running } = callsOf(item.client);
        observe(item);
        running.delete(item);
        waiting.unshift(item);
      }
    },
    size: () => clients.values().reduce((sum, { waiting }) => sum + waiting.length, 0),
    take() {
      let next: readonly [string, ClientCalls<Item>] | undefined;
      for (const entry of clients) {
        const [, { waiting, running }] = entry;
        if (waiting.length > 0 && running.size < (next?.[1].running.size ?? Number.POSITIVE_INFINITY))
          next = entry;
      }
      if (!next) return undefined;
      const [client, calls] = next;
      clients.delete(client);
      clients.set(client, calls);
      const item = calls.waiting.shift();
      if (item) calls.running.add(item);
      if (item && onRun) item.takenMs = performance.now();
      return item;
    },
    remove(item) {
      const calls = callsOf(item.client);
      const position = calls.waiting.indexOf(item);
      if (position >= 0) calls.waiting.splice(position, 1);
      removeIfIdle(item.client, calls);
      return position >= 0;
    },
    removeAll() {
      const items = [...clients.values()].flatMap(({ waiting }) => waiting.splice(0));
      for (const [client, calls] of clients) removeIfIdle(client, calls);
      return items;
    },
    finish,
    findExcess() {
      const all = [...clients.values()];
      const isWaiting = all.some(({ waiting, running }) => waiting.length > 0 && running.size === 0);
      if (!isWaiting || all.some(({ running }) => [...running].some((item) => item.isPreempted)))
        return undefined;
      return all
        .map(({ running }) => [...running])
        .find((running) => running.length > 1)
        ?.at(-1);
    },
  };
}

/** A queue of running and waiting tasks. */
export interface TaskQueue {
  /** Returns how many tasks wait. */
  waiting(): number;
  /** Runs a task as soon as fewer than the maximum are running. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
}

/** Creates an empty queue. */
export function createTaskQueue(maxRunning: number): TaskQueue {
  const waiting: (() => void)[] = [];
  let running = 0;

  return {
    waiting: () => waiting.length,
    async run(task) {
      if (running >= maxRunning) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        return await task();
      } finally {
        // The next task takes over the slot, so that no new task can overtake it.
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
