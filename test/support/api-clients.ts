/** API clients over an empty store, with a fake clock and counting identifiers. The cases of a file share the store: to open one takes longer than most cases. */
import { beforeAll } from 'vitest';
import { type ApiClients, createApiClients } from '../../src/access/clients/api-clients.ts';
import type { PasswordCost } from '../../src/access/users/password.ts';
import type { IdSource } from '../../src/base/runtime.ts';
import type { ContentService } from '../../src/content/content-service.ts';
import type { ContentStore } from '../../src/store/port.ts';
import { contentOver, openStoreAt, removeAssets } from './content.ts';
import { createCountingIds, createFakeClock, type FakeClock, passwordCost } from './runtime.ts';
import { sqliteLocation } from './stores.ts';
import { systemCatalog } from './types.ts';

/** API clients for a test, and what they are built from. */
export interface OpenedClients {
  readonly clients: ApiClients;
  /** The content service of Colophon's own records. */
  readonly system: ContentService;
  readonly ids: IdSource;
  readonly clock: FakeClock;
  readonly passwordCost: PasswordCost;
  closeStore(): Promise<void>;
}

/** Provides API clients for each case of a file; each call of the result empties the store. */
export function useClients(): () => Promise<OpenedClients> {
  const location = sqliteLocation();
  const catalog = systemCatalog();
  let store: ContentStore | undefined;
  const open = async () => {
    store ??= await openStoreAt(location, catalog);
    return store;
  };
  const closeStore = async () => {
    await store?.close();
    store = undefined;
  };
  beforeAll(async () => void (await open()));
  return async () => {
    const present = await open();
    await removeAssets(present, catalog);
    const [clock, ids] = [createFakeClock(1000), createCountingIds()];
    const system = contentOver(catalog, present, { clock, ids });
    const clients = createApiClients({ system, clock, ids });
    return { clients, system, ids, clock, passwordCost, closeStore };
  };
}
