/**
 * The target: all that moving content needs of the place it comes from or goes to.
 *
 * Two ways lead to content: `http-target.ts` to a server, `store-target.ts` to a store. Both promise the same, so that what moves
 * content need not know which it is.
 */
import type { Problem } from '../../base/problems.ts';
import type { Asset, JsonObject } from '../../model/content-type.ts';

/** Which assets to find: those of a content type or an interface that fulfil a predicate. */
export interface Selection {
  readonly from: string;
  readonly where?: string;
  /** What fills the predicate's `?`, in order. */
  readonly values?: readonly string[];
}

/** What may become of an asset. */
export type Mode = 'create' | 'update' | 'upsert';

/** One write of a batch. */
export interface Operation {
  readonly action: Mode;
  /** What tells which asset is meant: `_id`, or the JSON name of a unique field. */
  readonly by: string;
  readonly asset: JsonObject;
  /** The very JSON text of `asset`. */
  readonly text: string;
}

/** A reference whose target was not there when it was written. */
export interface Unresolved {
  readonly path: string;
  readonly _ref: string;
  readonly _type: string;
}

/** Targets of references: the `_id`s of assets of one type. */
export interface Targets {
  readonly type: string;
  readonly refs: readonly string[];
}

/** Why an operation or a batch was refused. */
export interface Refusal {
  /** An error code of the content management API; empty when there was none. */
  readonly code: string;
  /** Whether the same may succeed later. */
  readonly isPassing: boolean;
  readonly problems: readonly Problem[];
}

/** What became of one operation. */
export type OperationResult =
  | {
      readonly outcome: 'created' | 'updated';
      readonly _id: string;
      readonly unresolved: readonly Unresolved[];
    }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/** Whether an operation was refused for a reason that passes. */
export const isPassing = (result: OperationResult) =>
  result.outcome === 'refused' && result.refusal.isPassing;

/** Either each operation has its result, or the batch as a whole was refused and nothing was done. */
export type BatchAnswer =
  | { readonly kind: 'answered'; readonly results: readonly OperationResult[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * Operations, carried out one after the other. The same `key` with the same operations does nothing again that is done, and tries again
 * what was refused for a reason that passes.
 */
export interface Batch {
  readonly key: string;
  readonly operations: readonly Operation[];
}

/**
 * A place that content comes from or goes to.
 *
 * Errors, of each call: transfer_failed when the place does not answer, or refuses for a reason that every call would meet.
 */
export interface ContentTarget {
  /** The server's address or the store's location: shown to people, and compared by a journal. */
  readonly name: string;
  /** The first `limit` of the assets found, in the order of their `_id`. */
  page(selection: Selection, limit: number): Promise<readonly Asset[]>;
  count(selection: Selection): Promise<number>;
  /** Those of the targets that are not there. */
  findMissing(targets: Targets): Promise<readonly string[]>;
  /** Writes a batch whose references may point at assets that come later. */
  batch(batch: Batch): Promise<BatchAnswer>;
  close(): Promise<void>;
}
