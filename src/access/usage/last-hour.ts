/**
 * Counts the requests of the last hour by route and method, with their durations, in steps of five minutes.
 *
 * The counts stay in the memory of this process. They are returned as metrics, so that those of several processes can be combined. A
 * request costs the same however many were counted, and a route takes about 2 KB while it is used.
 */
import type { Clock } from '../../base/runtime.ts';
import { type HourMetrics, toHourMetrics } from './hour-metrics.ts';
import { createHourRing, type HourRing, slotMs } from './hour-ring.ts';
import type { UsedRoute } from './usage-counts.ts';

/** The counts of the last hour. */
export interface LastHour {
  add(request: Pick<UsedRoute, 'method' | 'route' | 'isError' | 'ms'>): void;
  collect(): HourMetrics;
}

/** Routes beyond these are counted together, so that endpoints that are created and removed for ever do not fill the memory. */
const defaultMaxRoutes = 5_000;

/** Creates the counts. A route and a method count as one. */
export function createLastHour(clock: Clock, { maxRoutes = defaultMaxRoutes } = {}): LastHour {
  const startedMs = clock.nowMs();
  const routes = new Map<string, Map<string, HourRing>>();
  let known = 0;
  const slotNow = () => Math.floor(clock.nowMs() / slotMs);

  /** Forgets what was not used in the last hour. */
  function removeUnused(slot: number): void {
    for (const [route, methods] of routes) {
      for (const [method, ring] of methods) {
        if (!ring.isUnused(slot)) continue;
        methods.delete(method);
        known--;
      }
      if (methods.size === 0) routes.delete(route);
    }
  }

  let removedIn = 0;
  function createRing(route: string, method: string, slot: number): HourRing {
    if (known >= maxRoutes && removedIn !== slot) {
      removedIn = slot;
      removeUnused(slot);
    }
    if (known >= maxRoutes && route !== '') return routes.get('')?.get('') ?? createRing('', '', slot);
    const methods = routes.get(route) ?? new Map<string, HourRing>();
    routes.set(route, methods);
    const ring = createHourRing();
    methods.set(method, ring);
    known++;
    return ring;
  }

  return {
    add({ route, method, isError, ms }) {
      const slot = slotNow();
      const ring = routes.get(route)?.get(method) ?? createRing(route, method, slot);
      ring.add(slot, { isError, ms });
    },
    collect() {
      const slot = slotNow();
      const counted = [...routes].flatMap(([route, methods]) =>
        [...methods].map(([method, ring]) => ({ route, method, ...ring.sum(slot) })),
      );
      return toHourMetrics(counted, { sinceMs: startedMs, slot });
    },
  };
}
