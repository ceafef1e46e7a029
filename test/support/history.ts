/** What suites over HTTP need for the history of assets: whether the store has one, and removing it. */
import { storedCatalog } from '../../src/access/system-types.ts';
import { isDomainError } from '../../src/base/errors.ts';
import { silentLogger } from '../../src/base/runtime.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { TestInstance } from './instance.ts';
import type { StoreLocation } from './stores.ts';
import { shippedCatalog, systemCatalog } from './types.ts';

/** Tells whether the store of an instance keeps a change log. */
export async function keepsHistory({ services }: TestInstance): Promise<boolean> {
  try {
    await services.content.history.findDeleted({ limit: 1 }, {});
    return true;
  } catch (error) {
    if (isDomainError(error, 'not_supported')) return false;
    throw error;
  }
}

/** Lists the documented responses that only a store with a change log gives. */
export const needsHistory = (response: string) =>
  / 410$/.test(response) ||
  /^(listChanges|listActivity|listAssetHistory|restoreAsset|listContentHistory|getContentVersion|restoreContent|listDeletedContents|\w*Webhook\w*) (2|40[0349]|412)/.test(
    response,
  );

/** Removes the history up to now, as the retention does later. */
export async function trimHistory({ config }: StoreLocation): Promise<void> {
  const catalog = storedCatalog(systemCatalog(), shippedCatalog());
  const store = await openStore({ ...config, catalog, logger: silentLogger });
  try {
    while ((await store.changes.trim({ beforeMs: Date.now() + 1, limit: 100 })) > 0);
  } finally {
    await store.close();
  }
}
