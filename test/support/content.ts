/** A store at a location, and the content layer over it, as most tests of the content layer want them. */
import { randomIds, silentLogger, systemClock } from '../../src/base/runtime.ts';
import { type ContentService, createContentService } from '../../src/content/content-service.ts';
import type { Catalog } from '../../src/model/content-type.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { ContentStore } from '../../src/store/port.ts';
import { closeAfterFile } from './opened.ts';
import type { StoreLocation } from './stores.ts';

/** Opens the store at a location and prepares it for the types of a catalog. It is closed after the file. */
export async function openStoreAt({ config }: StoreLocation, catalog: Catalog): Promise<ContentStore> {
  // A busy machine may take seconds for a short search.
  const store = await openStore({ ...config, catalog, logger: silentLogger, queryMs: 60_000 });
  await store.prepare();
  return { ...store, close: closeAfterFile(store.close) };
}

/** Deletes all assets of the types of a catalog. */
export async function removeAssets(store: ContentStore, { types }: Catalog): Promise<void> {
  const request = { types: [...types.keys()], offset: 0, limit: 1000, withCount: false };
  for (;;) {
    const { items } = await store.texts.find(request);
    if (items.length === 0) return;
    await store.write(items.map(({ id, type }) => ({ kind: 'delete', id, type })));
  }
}

/** Creates the content layer over a store; by default site owners are optional and references are checked. */
export function contentOver(
  catalog: Catalog,
  store: ContentStore,
  { referencesChecked = true, ...options }: ContentOptions = {},
): ContentService {
  const rules = { siteOwnerRequired: false, referencesChecked };
  return createContentService({ catalog, store, clock: systemClock, ids: randomIds, rules, ...options });
}

type ContentOptions = Partial<Omit<Parameters<typeof createContentService>[0], 'catalog' | 'store'>> & {
  readonly referencesChecked?: boolean;
};
