/**
 * Opens the configured store as the target of a mirror.
 */
import { type Logger, randomIds, systemClock } from '../../base/runtime.ts';
import { eraseDeletions } from '../../content/erasure/erase-deletions.ts';
import { adapterOf } from '../../store/open-store.ts';
import type { MirrorTarget } from '../../transfer/mirror/mirror-target.ts';
import { openStoreMirror, type StoreMirrorOptions } from '../../transfer/mirror/store-mirror.ts';
import type { ChosenTypes } from '../chosen-types.ts';
import type { Config } from '../config/config.ts';
import { prepareToWrite } from './compose-commands.ts';
import { openConfigured } from './compose-records.ts';

/** What a mirror in a store is opened with. */
export type StoreMirrorOrder = Omit<StoreMirrorOptions, 'name' | 'store' | 'catalog' | 'clock' | 'ids'> & {
  readonly chosen: ChosenTypes;
  readonly logger: Logger;
};

/**
 * Opens the store, which is created if there is none, as the target of a mirror. Returns warnings to show, too.
 *
 * Errors: transfer_failed, bad_types, bad_config, store_busy, store_failure.
 */
export async function openMirrorStore(
  config: Config,
  { chosen, logger, ...order }: StoreMirrorOrder,
): Promise<{ readonly target: MirrorTarget; readonly warnings: readonly string[] }> {
  const { catalog } = chosen;
  const { location: name } = adapterOf(config);
  const store = await openConfigured(config, { catalog, logger });
  try {
    const warnings = await prepareToWrite(store, chosen);
    // A server removes what is kept outside the step of the store.
    const written = config.erasesDeletions ? eraseDeletions(store, { catalog }) : store;
    const parts = { name, store: written, catalog, clock: systemClock, ids: randomIds };
    const target = await openStoreMirror({ ...order, ...parts });
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
