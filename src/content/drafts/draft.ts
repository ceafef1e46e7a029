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
 * is for an asset of one class, a draft has no effect while an asset of another class is live. The version is that of both, since
 * readers see values of both.
 */
export function applyDraft(draft: Draft, live: StoredAsset | undefined): StoredAsset | undefined {
  if (live && live.asset._type !== typeOfWrite(draft)) return live;
  const shown = applyWrite(draft, live?.asset);
  return shown && { ...shown, version: toDraftedVersion({ draft: shown.version, live: live?.version }) };
}

/** The version of an asset that has a draft. `live` is absent where nothing is live, and where a sender names a draft alone. */
export interface DraftedVersion {
  readonly draft: string;
  readonly live?: string | undefined;
}

/** Returns the text of a version. The versions of a store do not contain the separator. */
export const toDraftedVersion = ({ draft, live }: DraftedVersion): string =>
  live === undefined ? draft : `${draft}~${live}`;

/** Reads such a text. */
export function readDraftedVersion(version: string): DraftedVersion {
  const at = version.indexOf('~');
  return at < 0 ? { draft: version } : { draft: version.slice(0, at), live: version.slice(at + 1) };
}
