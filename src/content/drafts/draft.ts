/**
 * Drafts: writes of assets that the store has not carried out, at most one for each asset. Reads with drafts see each asset as its
 * draft would leave it if the store carried it out now.
 */
import { type AssetWrite, type StoredAsset, typeOfWrite } from '../../store/port.ts';
import { applyWrite } from '../overlay/write-overlay.ts';

/** A change, a creation or a deletion of one asset that is not live. */
export type Draft = AssetWrite;

/** Some drafts in one state, such as those of a release: when they change, reads need another source. */
export interface DraftSource {
  /** Finds the drafts of the assets with these `_id`s. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, Draft>>;
  /** Finds all drafts of assets of these classes. */
  ofTypes(types: readonly string[]): Promise<readonly Draft[]>;
}

/**
 * Returns the asset as its draft leaves it; `undefined` for a deleted one, and for the change of an asset that is not live. As a write
 * is for an asset of one class, a draft has no effect while an asset of another class is live.
 */
export function applyDraft(draft: Draft, live: StoredAsset | undefined): StoredAsset | undefined {
  return live && live.asset._type !== typeOfWrite(draft) ? live : applyWrite(draft, live?.asset);
}
