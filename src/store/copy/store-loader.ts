/**
 * Fills an empty store with a copy of another one. Until `finish`, no process can use the store.
 */
import type { CopiedAsset, CopiedEntry, CopiedFacts } from './store-copy.ts';

/** A store that is being filled. Errors of each call: transfer_failed, store_busy, store_failure. */
export interface StoreLoader {
  /** Whether the store keeps a change log; if not, entries are not loaded. */
  readonly keepsLog: boolean;
  loadAssets(assets: readonly CopiedAsset[]): Promise<void>;
  /** Loads entries in the order of their `seq`. */
  loadEntries(entries: readonly CopiedEntry[]): Promise<void>;
  /** Makes the store usable, with a new epoch. */
  finish(facts: CopiedFacts): Promise<void>;
  /** Releases the store. Unless it was finished, it stays unusable until it is loaded again. */
  close(): Promise<void>;
}

/** Says what to do with a store whose loading was interrupted. */
export const interruptedLoad =
  'a backup was being restored here and is not complete. Run `colophon backup restore <file>` again';
