/**
 * The form in which a store is copied as a whole: everything it keeps, without the peculiarities of its database.
 *
 * `store-dump.ts` reads a store in this form and `store-loader.ts` fills an empty one, also of the other kind. Neither needs the
 * content types: assets whose types are no longer served are copied too.
 */
import type { ChangeEntry } from '../changes.ts';
import type { ServedTypes } from '../served-types.ts';

export interface CopiedAsset {
  readonly id: string;
  /** Class name. */
  readonly type: string;
  readonly version: string;
  /** The number of its last entry in the change log; 0 when it has none. */
  readonly number: number;
  /** The shape of a type that it is known to fit; absent when none is. */
  readonly shape?: string;
  /** The JSON text of the asset. */
  readonly text: string;
  /** Set when the stored text is not as it was written. A store that is filled keeps that in mind. */
  readonly isDamaged?: boolean;
  /** Set when the store has the asset under another `_id` or type than its text says, which are those here. */
  readonly isMisplaced?: boolean;
}

/** An entry of the change log as it is copied. */
export interface CopiedEntry extends ChangeEntry {
  readonly seq: number;
  /** JSON text of the whole asset after the change, in every 64th entry of an asset. */
  readonly state?: string;
  /** Set when what the entry changed cannot be read. */
  readonly isDamaged?: boolean;
}

/** What a copy says about the whole store. */
export interface CopiedFacts {
  /** The name of the database program that was read. */
  readonly store: string;
  /** The `seq` of the moment: every entry up to it is in the copy, and no effect of a later one. 0 without a change log. */
  readonly seq: number;
  /** The name of the line of history that the store had; absent without a change log. */
  readonly epoch?: string;
  /** The change log has an entry for every write after this time, in milliseconds since 1970; absent without a log. */
  readonly loggedSinceMs?: number;
  /** The types that the store was last served with; absent when it never was. */
  readonly served?: ServedTypes;
  /** The text of its record of names; absent when it has none. */
  readonly names?: string;
  /** Whether all assets are of one moment: not if others wrote meanwhile to a store without a change log. */
  readonly isOneMoment: boolean;
}
