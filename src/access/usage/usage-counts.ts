/**
 * Counts the requests of this process by day, route, API client and key, until they are taken to be stored.
 *
 * Routes are those of documents and endpoints, and clients are authenticated, so the number of counts is bounded. Counting a request
 * allocates nothing once its route and its client have occurred.
 */
import type { Clock } from '../../base/runtime.ts';

/** What is counted together; `day` is the number of days since 1970, in UTC. */
export interface UsageKey {
  readonly day: number;
  readonly method: string;
  readonly route: string;
  /** Absent for requests without an API client: those of users, and those to endpoints that anyone may use. */
  readonly clientId?: string | undefined;
  /** The ID of the API key that was sent; absent with other credentials. */
  readonly keyId?: string | undefined;
}

/** The counts of some requests. */
export interface UsageNumbers {
  readonly requests: number;
  readonly errors: number;
  readonly totalMs: number;
}

/** How often a client has used a route on a day, with one of its keys or with other credentials. */
export interface UsageRow extends UsageKey, UsageNumbers {}

/** A finished request to a route. */
export interface UsedRoute {
  readonly method: string;
  readonly route: string;
  readonly clientId: string | undefined;
  readonly keyId?: string | undefined;
  /** Whether the response had a status of 400 or above. */
  readonly isError: boolean;
  readonly ms: number;
}

/** The counts of a process. */
export interface UsageCounts {
  add(request: UsedRoute): void;
  /** Returns the counts so far, and begins anew. */
  take(): UsageRow[];
  /** Adds counts that were taken and could not be stored. */
  putBack(rows: readonly UsageRow[]): void;
}

/** The length of a day. */
export const dayMs = 86_400_000;

interface Count {
  readonly key: UsageKey;
  requests: number;
  errors: number;
  totalMs: number;
}

/** The counts by route, method, client and key. */
type Day = Map<string, Map<string, Map<string | undefined, Map<string | undefined, Count>>>>;

/** Creates the counts. */
export function createUsageCounts(clock: Clock): UsageCounts {
  const days = new Map<number, Day>();

  function countOf({ day, route, method, clientId, keyId }: UsageKey): Count {
    const routes = findOrAdd(days, day, () => new Map());
    const methods = findOrAdd(routes, route, () => new Map());
    const clients = findOrAdd(methods, method, () => new Map());
    const keys = findOrAdd(clients, clientId, () => new Map<string | undefined, Count>());
    return findOrAdd(keys, keyId, () => ({
      key: { day, route, method, clientId, keyId },
      requests: 0,
      errors: 0,
      totalMs: 0,
    }));
  }

  return {
    add({ route, method, clientId, keyId, isError, ms }) {
      const day = Math.floor(clock.nowMs() / dayMs);
      const known = days.get(day)?.get(route)?.get(method)?.get(clientId)?.get(keyId);
      const count = known ?? countOf({ day, route, method, clientId, keyId });
      count.requests++;
      if (isError) count.errors++;
      count.totalMs += ms;
    },
    take() {
      const rows = [...days.values()]
        .flatMap((routes) => [...routes.values()])
        .flatMap((methods) => [...methods.values()])
        .flatMap((clients) => [...clients.values()])
        .flatMap((keys) => [...keys.values()])
        .map(({ key, ...numbers }) => ({ ...key, ...numbers }));
      days.clear();
      return rows;
    },
    putBack(rows) {
      for (const row of rows) {
        const count = countOf(row);
        count.requests += row.requests;
        count.errors += row.errors;
        count.totalMs += row.totalMs;
      }
    },
  };
}

function findOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const found = map.get(key) ?? create();
  map.set(key, found);
  return found;
}
