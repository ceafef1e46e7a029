/**
 * Opens the store for the checks of an installation, which only read it.
 */
import { loadSystemTypes, storedCatalog } from '../../access/system-types.ts';
import { createContentService } from '../../content/content-service.ts';
import { adapterOf, openStore } from '../../store/open-store.ts';
import type { Config } from '../config/config.ts';
import type { ReadStore } from '../doctor/check-store.ts';
import { createAccess, createEndpoints, createSystem, type Runtime } from './compose-records.ts';

/** Opens the store. Errors: bad_config, store_busy, store_failure. */
export async function openToRead(config: Config, runtime: Runtime): Promise<ReadStore> {
  const catalog = storedCatalog(loadSystemTypes());
  const store = await openStore({ ...config, catalog, logger: runtime.logger, isReadOnly: true });
  const system = createSystem(store, runtime);
  const content = createContentService({ ...runtime, catalog, store, rules: config });
  const { graphqlEndpoints } = createEndpoints({ config, runtime, system, content });
  return {
    ...createAccess(system, runtime),
    graphqlEndpoints,
    description: `the ${adapterOf(config).name} store`,
    hasChangeLog: store.capabilities.changes,
    readClock: store.readClock,
    readFormat: store.readFormat,
    ping: store.ping,
    close: store.close,
  };
}
