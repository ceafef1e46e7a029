/**
 * What the store suite needs of an adapter, and how its cases get a store.
 */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type ErrorCode, isDomainError } from '../../../src/base/errors.ts';
import type { Catalog } from '../../../src/model/content-type.ts';
import type { ContentStore } from '../../../src/store/port.ts';
import type { ServingTiming } from '../../../src/store/served-types.ts';

/** One empty database, on which stores may be opened as several processes would. */
export interface StoreHarness {
  open(catalog: Catalog, timing?: ServingTiming): Promise<ContentStore>;
  /** Removes the database; every store on it is closed by then. */
  dispose(): Promise<void>;
}

/** Makes a database of its own each time it is called. */
export type CreateHarness = () => Promise<StoreHarness>;

/** A store for all cases of a `describe`, or a fresh one for each. */
export function useStore(
  createHarness: CreateHarness,
  { catalog, each = false }: { catalog: Catalog; each?: boolean },
): () => ContentStore {
  let harness: StoreHarness;
  let store: ContentStore;
  const [before, after] = each ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    harness = await createHarness();
    store = await harness.open(catalog);
    await store.prepare();
  });
  after(async () => {
    await store.close();
    await harness.dispose();
  });
  return () => store;
}

/** A fresh database for each case, whose stores are prepared for their catalogs; what a case opened is closed after it. */
export function useDatabase(createHarness: CreateHarness): (catalog: Catalog) => Promise<ContentStore> {
  const open = useRawDatabase(createHarness);
  return async (catalog) => {
    const store = await open(catalog);
    await store.prepare();
    return store;
  };
}

/** The same with stores as they are opened. */
export function useRawDatabase(createHarness: CreateHarness): StoreHarness['open'] {
  let harness: StoreHarness;
  let opened: ContentStore[] = [];
  beforeEach(async () => {
    harness = await createHarness();
  });
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()));
    opened = [];
    await harness.dispose();
  });
  return async (catalog, timing) => {
    const store = await harness.open(catalog, timing);
    opened.push(store);
    return store;
  };
}

/** The code of the domain error that `promise` is rejected with; `undefined` when it is fulfilled. */
export async function codeOf(promise: Promise<unknown>): Promise<ErrorCode | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (isDomainError(error)) return error.code;
    throw error;
  }
}
