/**
 * The types of the feed of changes.
 */
import type { ChangesPage, FeedRemoval, ListChangesData } from './cma/types.gen.ts';
import type { CallOptions } from './connection.ts';
import type { Given, KnownName, PredicateValue, UnfitNotes } from './query-types.ts';

/** What a feed has; `values` fill the placeholders of `where`, in order. */
export type FeedQuery<From extends string = string> = Given<
  Omit<ListChangesData['query'], 'from' | 'values' | 'nulls'>
> & {
  /** The class name or type ID of a content type or of an interface. */
  from: KnownName<From>;
  values?: readonly PredicateValue[] | undefined;
};

/** What to do with a copy of the matching assets: store an asset, or remove one. */
export type FeedItem<Found> = { op: 'put'; asset: Found } | FeedRemoval;

/** A page of a feed. */
export type FeedPage<Found> = Omit<ChangesPage, 'items'> & { items: FeedItem<Found>[] } & UnfitNotes;

/** An item of a feed that is followed. */
export type FeedChange<Found> = FeedItem<Found> & {
  /** Whether it belongs to the snapshot or to the changes since. */
  phase: ChangesPage['phase'];
  /**
   * Continues the feed behind this item, if it was saved and is given as `cursor`; some items before it may come again. Absent
   * before the end of the first page.
   */
  cursor: string | undefined;
};

/** Options for following a feed. */
export interface FollowOptions extends CallOptions {
  /** Called when the snapshot is complete: what it did not contain, a copy from before should not have any more. */
  onSnapshot?: (() => void | Promise<void>) | undefined;
}
