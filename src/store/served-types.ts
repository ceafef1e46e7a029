/**
 * The content types that a store is served with, as the store remembers them, and how it knows which processes need what.
 *
 * Each serving process has a record in the store with its types and what it needs of the store (indexes, words), and says every
 * `heartbeatMs` that it is there. What no process needs that was seen within `expiryMs` is removed by any serving process.
 */
import type { TypeSource } from '../model/type-sources.ts';

/** The SDL that a store is served with. */
export interface ServedTypes {
  /** The files of the folder itself, without those that come with Colophon. */
  readonly sources: readonly TypeSource[];
  /** The folder they were read from, for messages. */
  readonly folder: string;
  /** Whether they are the types that Colophon ships. */
  readonly areShipped: boolean;
}

/** What a store says of its types before it is opened. */
export interface KnownTypes {
  /** The types it was last served with; absent in a store that was never served, or by 0.1 only. */
  readonly served?: ServedTypes;
  /** Where nothing is served: the class names of which there are assets. */
  readonly populated: readonly string[];
}

/** A unique field of the catalog that the store does not keep unique. */
export interface UnenforcedField {
  /** A class name. */
  readonly type: string;
  readonly field: string;
}

/** How often a serving process reports, and after which silence its needs are forgotten. */
export interface ServingTiming {
  readonly heartbeatMs: number;
  readonly expiryMs: number;
}

export const defaultTiming: ServingTiming = { heartbeatMs: 20_000, expiryMs: 60_000 };
