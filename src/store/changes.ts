/**
 * The change log of a store: one entry for every write of a logged type, written in the same atomic step as the write.
 *
 * `seq` orders the whole log: a reader that has read up to n never finds an entry up to n later. `number` orders the entries of
 * one asset, without gaps, also across its deletion and another creation with the same `_id`. An entry's `id` is the version that
 * its write gave the asset; a deletion has an `id` too, which is the version of nothing.
 */
import type { Actor, RequestOrigin } from '../base/request-origin.ts';
import type { Asset, JsonObject } from '../model/content-type.ts';
import type { ReadCaller } from './read-caller.ts';

/** Where a write comes from, and when it was prepared. */
export interface ChangeOrigin extends RequestOrigin {
  readonly atMs: number;
}

/** What a write did. `signIn` is no write: it says that a user has signed in. */
export type ChangeAction = 'create' | 'update' | 'delete' | 'erase' | 'signIn';

/** One entry of the log. */
export interface ChangeEntry extends ChangeOrigin {
  readonly id: string;
  /** Absent while the entry is not numbered yet, which only the history of one asset shows. */
  readonly seq?: number;
  /** The `_id` of the asset. */
  readonly asset: string;
  /** The number of this entry among those of its asset, from 1. */
  readonly number: number;
  /** Class name. */
  readonly type: string;
  readonly action: ChangeAction;
  /** Absent when the asset does not exist after the change. */
  readonly version?: string;
  /** Absent when the asset did not exist before the change. */
  readonly previousVersion?: string;
  /** The names of the fields that have another value than before. Empty for a deletion. */
  readonly changed: readonly string[];
  /** The former values of the changed fields that had one; of a deletion, the whole asset. Secret fields are left out. */
  readonly before?: JsonObject;
}

/** Which entries to read. All conditions must hold; absent ones do not restrict. */
export interface ChangeFilter {
  readonly asset?: string;
  /** Class names. */
  readonly types?: readonly string[];
  readonly actions?: readonly ChangeAction[];
  readonly by?: { readonly kind?: Actor['kind']; readonly id?: string };
  readonly run?: string;
  /** Inclusive. */
  readonly fromMs?: number;
  /** Exclusive. */
  readonly toMs?: number;
  /** Whether to read only entries that are the last of their asset. */
  readonly latestOnly?: boolean;
}

/** One page of the log. */
export interface LogRequest extends ReadCaller {
  readonly order: 'oldest first' | 'newest first';
  /** The `seq` to continue from, exclusive; absent begins at that end of the log. */
  readonly from?: number;
  readonly limit: number;
  readonly filter?: ChangeFilter;
}

/** The entries found. A page may end early, since it reads a limited number of entries and bytes. */
export interface LogPage {
  readonly entries: readonly (ChangeEntry & { readonly seq: number })[];
  /** The `from` of the next page; absent at the end of the log. */
  readonly next?: number;
}

/** The entries of one asset before a number, newest first. */
export interface HistoryRequest extends ReadCaller {
  readonly asset: string;
  /** Exclusive; absent begins with the last entry. */
  readonly before?: number;
  readonly limit: number;
}

/** A page of the history of one asset. It may end early because of its size. */
export interface HistoryPage {
  readonly entries: readonly ChangeEntry[];
  /** The `before` of the next page; absent after the oldest entry. */
  readonly next?: number;
}

/** A moment in the history of one asset. At a time: after the last change that is not later. */
export type Moment = { readonly version: string } | { readonly atMs: number } | { readonly number: number };

/**
 * The asset at a moment.
 *
 * - `exists`: with the state and its version. `number` is that of the entry that gave it, 0 if it is older than the log.
 * - `deleted`: it did not exist then, but had existed before.
 * - `not created`: it did not exist yet, or nothing is known of such an asset or version.
 * - `removed`: the log does not go back that far, any more or at all. An unknown version of an asset whose log is not complete may
 *   have been trimmed, so it is `removed`, too.
 *
 * The state before the oldest entry of an asset is known, unless that entry is an erasure.
 */
export type PastState =
  | { readonly kind: 'exists'; readonly asset: Asset; readonly version: string; readonly number: number }
  | { readonly kind: 'deleted' | 'not created' | 'removed' };

/** Where the log stands. */
export interface LogPosition {
  /** The random name of the store's line of history: another one after a backup was restored. */
  readonly epoch: string;
  /** The `seq` of the oldest and of the newest entry; both 0 while the log is empty. */
  readonly first: number;
  readonly last: number;
  /** The greatest `seq` that trimming has removed; 0 before. Erasing removes entries as well, and does not count. */
  readonly trimmedTo: number;
}

/** An event of a record that is no write of it, such as a sign-in. */
export interface LoggedEvent {
  readonly id: string;
  readonly asset: string;
  readonly type: string;
  readonly action: 'signIn';
}

/**
 * The change log. A store without the capability `changes` rejects every call with `not_supported`. Without an `origin`, a call is one
 * of Colophon itself.
 */
export interface ChangeLog {
  position(): Promise<LogPosition>;
  /**
   * Waits until every entry of a write that was visible before the call has its `seq`, and returns a `seq` that is not less than
   * any of them. Errors: store_busy when numbering takes too long.
   */
  waitUntilNumbered(): Promise<number>;
  read(request: LogRequest): Promise<LogPage>;
  /** Reads the history of one asset, including entries that are not numbered yet. */
  history(request: HistoryRequest): Promise<HistoryPage>;
  /** Finds an asset as it was. */
  stateOf(asset: string, moment: Moment, caller?: ReadCaller): Promise<PastState>;
  append(event: LoggedEvent, origin?: ChangeOrigin): Promise<void>;
  /**
   * Removes the oldest entries that were written before a time: as many as a short transaction removes, up to the first newer
   * entry, and never the last of all. Returns how many; fewer than `limit` means that none is left to remove.
   */
  trim(request: { readonly beforeMs: number; readonly limit: number }): Promise<number>;
  /**
   * Deletes an asset, if it exists, with all its entries, and leaves one entry with the action `erase`, whose `id` is given. If other
   * types had entries about the asset (it was deleted and created again as another type), one such entry for each of them comes
   * before, so that readers of these types learn of it. On return no file of the store contains a former value, unless `purge` is left
   * for later. Returns whether the store knew the asset.
   */
  erase(
    erasure: {
      readonly id: string;
      readonly type?: string;
      readonly change: string;
      readonly purge?: 'later';
    },
    origin?: ChangeOrigin,
  ): Promise<boolean>;
  /**
   * Removes what the files of the store still contain of erased assets. A database that manages its own files does nothing. Errors:
   * store_busy while erased values are being read.
   */
  purge(): Promise<void>;
}

/** How often an entry keeps the whole state of its asset, so that reading a past state undoes at most that many entries. */
export const entriesPerState = 64;

/** Returns the state before an entry, from the state after it. `undefined` means that the asset does not exist. */
export function undoChange(
  after: Asset | undefined,
  { action, changed, before = {} }: Pick<ChangeEntry, 'action' | 'changed' | 'before'>,
): Asset | undefined {
  switch (action) {
    case 'create':
    case 'erase':
      return undefined;
    case 'delete':
      // The entry of a deletion has the whole asset.
      return before as Asset;
    case 'signIn':
      return after;
    case 'update': {
      if (after === undefined) throw new Error('An update cannot be undone without the state after it');
      const kept = Object.entries(after).filter(([name]) => !changed.includes(name));
      // Safe: `_id` and `_type` never change.
      return { ...Object.fromEntries(kept), ...before } as Asset;
    }
  }
}
