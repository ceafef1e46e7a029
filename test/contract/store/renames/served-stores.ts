/** The stores that a suite serves with types of before and after a deployment. */
import { afterEach, beforeEach } from 'vitest';
import type { StoreLocation, StoreLocations } from '../../../support/stores.ts';
import { type ServedStore, serveStore } from './changed-types.ts';

/** The processes on one store location, which is new in each test. */
export interface ServedStores {
  readonly location: StoreLocation;
  /** How many processes run. */
  readonly count: number;
  serve(sdl: string): Promise<ServedStore>;
  stop(one: ServedStore): Promise<void>;
  stopAll(): Promise<void>;
}

/** Serves stores, which are stopped and removed after each test. */
export function useServedStores(locations: StoreLocations): ServedStores {
  let location: StoreLocation;
  const running = new Set<ServedStore>();

  beforeEach(() => {
    location = locations();
  });
  afterEach(() => stopAll());

  async function stop(one: ServedStore): Promise<void> {
    running.delete(one);
    await one.store.close();
  }

  async function stopAll(): Promise<void> {
    await Promise.all([...running].map(stop));
  }

  return {
    get location() {
      return location;
    },
    get count() {
      return running.size;
    },
    async serve(sdl) {
      const opened = await serveStore(location, sdl);
      running.add(opened);
      return opened;
    },
    stop,
    stopAll,
  };
}
