/**
 * Opens the configured store as the target of a mirror.
 */
import { loadSystemTypes, storedCatalog } from '../../access/system-types.ts';
import { type Logger, randomIds, systemClock } from '../../base/runtime.ts';
import { adapterOf, openStore } from '../../store/open-store.ts';
import type { MirrorTarget } from '../../transfer/mirror/mirror-target.ts';
import { openStoreMirror, type StoreMirrorOptions } from '../../transfer/mirror/store-mirror.ts';
import type { ChosenTypes } from '../chosen-types.ts';
import type { Config } from '../config/config.ts';
import { prepareToWrite } from './compose-content.ts';

/** What a mirror in a store is opened with. */
export type StoreMirrorOrder = Omit<StoreMirrorOptions, 'name' | 'store' | 'catalog' | 'clock' | 'ids'> & {
  readonly chosen: ChosenTypes;
  readonly logger: Logger;
};

/**
 * Opens the store, which is created if there is none, and takes it for a mirror. Returns warnings to show, too.
 *
 * Errors: transfer_failed, bad_types, bad_config, store_busy, store_failure.
 */
export async function openMirrorStore(
  config: Config,
  { chosen, logger, ...order }: StoreMirrorOrder,
): Promise<{ readonly target: MirrorTarget; readonly warnings: readonly string[] }> {
  const { catalog } = chosen;
  const store = await openStore({ ...config, catalog: storedCatalog(loadSystemTypes(), catalog), logger });
  try {
    const warnings = await prepareToWrite(store, chosen);
    const runtime = { clock: systemClock, ids: randomIds };
    const { location: name } = adapterOf(config);
    const target = await openStoreMirror({ ...order, ...runtime, name, store, catalog });
    const close = async () => {
      try {
        await target.close();
      } finally {
        await store.close();
      }
    };
    return { target: { ...target, close }, warnings };
  } catch (error) {
    await store.close();
    throw error;
  }
}
