/**
 * What the backfill of renamed fields needs from a store: its state, which all processes read, and a way to replace documents that no
 * reader of the store notices.
 *
 * A backfill gives the values of renamed fields their present names in all assets. `renames/backfill-phases.ts` tells what each phase
 * means for those who read and write.
 */
import type { ServedTypes } from './served-types.ts';

/** A field that a backfill renames. All names are stored ones. */
export interface RenamedField {
  /** Class name. */
  readonly type: string;
  /** The former names of the field and of those around it, outermost first: `['place', 'city']`. */
  readonly path: readonly string[];
  /** The present name of the field itself. */
  readonly name: string;
}

/** Where a backfill is, in the order of a whole one. `removed` is its end; from `restoring` on it is undone, up to `withdrawn`. */
export type BackfillPhase =
  | 'copying'
  | 'copied'
  | 'removing'
  | 'removed'
  | 'restoring'
  | 'restored'
  | 'withdrawing'
  | 'withdrawn';

/** The state of the backfill of a store. */
export interface BackfillState {
  /** One more with each state. */
  readonly revision: number;
  readonly phase: BackfillPhase;
  /** The fields of the backfill that was begun last. */
  readonly fields: readonly RenamedField[];
  /** The fields of earlier backfills whose former values were removed. */
  readonly finished: readonly RenamedField[];
  /** How far the process that works on the phase is; absent while the phase needs no work. */
  readonly progress?: BackfillProgress;
}

/** The progress of a phase that goes through all assets of the types with renamed fields. */
export interface BackfillProgress {
  /** The name of the process that works on it, and when it last reported, in milliseconds since 1970 by the store's clock. */
  readonly holder: string;
  readonly seenMs: number;
  readonly startedMs: number;
  /** The type under way, and its last asset that was looked at. Types before it, in the order of their names, are done. */
  readonly type?: string;
  readonly after?: string;
  /** How many assets were looked at, and how many were rewritten. */
  readonly visited: number;
  readonly rewritten: number;
  /** How many assets the types had at the start. */
  readonly total: number;
}

/** A document to put in place of another one that has the same version. */
export interface Rewrite {
  readonly id: string;
  /** Class name. */
  readonly type: string;
  /** The version that the document must have, and keeps. */
  readonly version: string;
  /** JSON text of the whole asset. */
  readonly text: string;
  /** The shape that the asset fits; absent when none is known. */
  readonly shape?: string;
}

/** The calls of a backfill. */
export interface BackfillCalls {
  /** Reads the state; `undefined` if no backfill has ever begun. Costs one small read. */
  readState(): Promise<BackfillState | undefined>;
  /** Replaces the state if its revision is still one less, and absent for revision 1. Returns whether it was replaced. */
  writeState(state: BackfillState): Promise<boolean>;
  /**
   * Replaces documents: with indexes and words, but without a new version, an entry in the change log, or another revision of the type.
   * Leaves out those that have another version or are gone. Returns the ids of the replaced ones. Durable on return.
   * Errors: value_in_use when a rewrite repeats a unique value, and invalid_body for a document that the store cannot keep; some of the
   * others may have been replaced then. For at most some 500 documents.
   */
  rewrite(rewrites: readonly Rewrite[]): Promise<readonly string[]>;
  /** Reads the types of the processes that serve the store, without those not seen for as long as lets others remove their indexes. */
  readServing(): Promise<readonly ServedTypes[]>;
}
