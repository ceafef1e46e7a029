/** API clients over their own empty store, with a fake clock and counting identifiers. */
import { type ApiClients, createApiClients } from '../../src/access/clients/api-clients.ts';
import type { PasswordCost } from '../../src/access/users/password.ts';
import { type IdSource, silentLogger } from '../../src/base/runtime.ts';
import { type ContentService, createContentService } from '../../src/content/content-service.ts';
import { openStore } from '../../src/store/open-store.ts';
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
  remove(): Promise<void>;
}

/** Opens an empty store for API clients. */
export async function openClients(): Promise<OpenedClients> {
  const location = sqliteLocation();
  const catalog = systemCatalog();
  const store = await openStore({ ...location.config, catalog, logger: silentLogger });
  await store.prepare();
  const [clock, ids] = [createFakeClock(1000), createCountingIds()];
  const rules = { siteOwnerRequired: false, referencesChecked: true };
  const system = createContentService({ catalog, store, clock, ids, rules });
  return {
    clients: createApiClients({ system, clock, ids }),
    system,
    ids,
    clock,
    passwordCost,
    closeStore: store.close,
    async remove() {
      await store.close();
      await location.remove();
    },
  };
}
