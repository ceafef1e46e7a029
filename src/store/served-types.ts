/**
 * The content types that a store was last served with, and the timing of the heartbeat of serving processes.
 *
 * Each serving process has a record in the store with its types and the indexes and words it needs, and renews it every
 * `heartbeatMs`. A serving process removes the indexes and words that no process seen within `expiryMs` needs.
 */
import type { TypeSource } from '../types/type-sources.ts';

/** The SDL that a store is served with. */
export interface ServedTypes {
  /** The files of the folder itself, without those shipped with Colophon. */
  readonly sources: readonly TypeSource[];
  /** The folder they were read from, for messages. */
  readonly folder: string;
  /** Whether they are the types that Colophon ships. */
  readonly areShipped: boolean;
}

/** The types a store knows before it is opened. */
export interface KnownTypes {
  /** The types it was last served with; absent in a store that was never served. */
  readonly served?: ServedTypes;
  /** When `served` is absent: the class names of the stored assets. */
  readonly populated: readonly string[];
}

/** A unique field of the catalog that the store does not keep unique. */
export interface UnenforcedField {
  /** A class name. */
  readonly type: string;
  readonly field: string;
}

/** How often a serving process reports, and the time without a report after which its indexes and words may be removed. */
export interface ServingTiming {
  readonly heartbeatMs: number;
  readonly expiryMs: number;
}

/** The timing outside tests. */
export const defaultTiming: ServingTiming = { heartbeatMs: 20_000, expiryMs: 60_000 };
