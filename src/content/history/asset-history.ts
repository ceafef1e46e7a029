/**
 * The history of assets, as part of the content service: their changes and past states, restoring and erasing.
 */
import { createDeletedAssetFinder, type DeletedAssetFinder } from './deleted-assets.ts';
import { type AssetEraser, createAssetEraser } from './erase-asset.ts';
import { createHistoryReader, type HistoryReader } from './read-history.ts';
import { type AssetRestorer, createAssetRestorer } from './restore-asset.ts';

/** The past of the assets of one catalog. A store without a change log rejects every call with `not_supported`. */
export interface AssetHistory extends HistoryReader {
  readonly restore: AssetRestorer;
  readonly findDeleted: DeletedAssetFinder;
  readonly erase: AssetEraser;
}

/** Creates the history of one catalog. */
export function createAssetHistory(
  parts: Omit<Parameters<typeof createAssetRestorer>[0], 'reader'> & Parameters<typeof createAssetEraser>[0],
): AssetHistory {
  const reader = createHistoryReader(parts);
  return {
    ...reader,
    restore: createAssetRestorer({ ...parts, reader }),
    findDeleted: createDeletedAssetFinder(parts),
    erase: createAssetEraser(parts),
  };
}
