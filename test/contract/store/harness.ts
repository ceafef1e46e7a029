/**
 * The harness that each adapter provides to the store suite, and the functions by which the cases open stores.
 */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type ErrorCode, isDomainError } from '../../../src/base/errors.ts';
import type { Catalog } from '../../../src/model/content-type.ts';
import type { ContentStore } from '../../../src/store/port.ts';
import type { ServingTiming } from '../../../src/store/served-types.ts';
import { removeAssets } from '../../support/content.ts';

/** How to open a store. */
export interface StoreOptions {
  readonly timing?: ServingTiming;
  readonly queryMs?: number;
}

/** One empty database. Several stores may be opened on it, as several processes would do. */
export interface StoreHarness {
  open(catalog: Catalog, options: StoreOptions): Promise<ContentStore>;
  /** Removes the database. All its stores must be closed before. */
  dispose(): Promise<void>;
}

/** Creates a new database at each call. */
export type CreateHarness = () => Promise<StoreHarness>;

/** Searches get time, unless a case is about their budget: a busy machine may take seconds for a short one. */
const patient: StoreOptions = { queryMs: 60_000 };

/** Provides one store for all cases of a `describe`, emptied after each case if they write. */
export function useStore(
  createHarness: CreateHarness,
  { catalog, emptied = false, options }: { catalog: Catalog; emptied?: boolean; options?: StoreOptions },
): () => ContentStore {
  let harness: StoreHarness;
  let store: ContentStore;
  beforeAll(async () => {
    harness = await createHarness();
    store = await harness.open(catalog, { ...patient, ...options });
    await store.prepare();
  });
  if (emptied) afterEach(() => removeAssets(store, catalog));
  afterAll(async () => {
    await store.close();
    await harness.dispose();
  });
  return () => store;
}

/** Provides a fresh database per case. Its stores are prepared for their catalogs and closed after the case. */
export function useDatabase(createHarness: CreateHarness): (catalog: Catalog) => Promise<ContentStore> {
  const open = useRawDatabase(createHarness);
  return async (catalog) => {
    const store = await open(catalog);
    await store.prepare();
    return store;
  };
}

/** Does the same as `useDatabase`, without preparing the stores. */
export function useRawDatabase(
  createHarness: CreateHarness,
): (catalog: Catalog, options?: StoreOptions) => Promise<ContentStore> {
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
  return async (catalog, options) => {
    const store = await harness.open(catalog, { ...patient, ...options });
    opened.push(store);
    return store;
  };
}

/** Returns the code of the domain error that rejects `promise`, or `undefined` when it is fulfilled. */
export async function codeOf(promise: Promise<unknown>): Promise<ErrorCode | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (isDomainError(error)) return error.code;
    throw error;
  }
}
