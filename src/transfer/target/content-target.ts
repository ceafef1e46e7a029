/**
 * The port of imports and exports: where content is read from or written to.
 *
 * `http-target.ts` implements it for a server, `store-target.ts` for a store, `dry-run-target.ts` for checks that write nothing.
 */

import { transferFailed } from '../../base/errors.ts';
import type { Problem } from '../../base/problems.ts';
import { createCursorCheck } from '../../client/follow-changes.ts';
import type { Asset, JsonObject } from '../../model/content-type.ts';

/** Which assets to find: those of a content type or interface that match a predicate. */
export interface Selection {
  readonly from: string;
  readonly where?: string;
  /** The values of the predicate's `?`, in order. */
  readonly values?: readonly string[];
  /** The paths of the fields to return with `_id` and `_type`; absent means all. */
  readonly fields?: readonly string[];
}

/** A selection with its order. */
export interface SortedSelection extends Selection {
  /** The paths to sort by, the most significant first, with `-` before one that descends. */
  readonly sort: readonly string[];
}

/** A page of a sorted selection. */
export interface SortedPage {
  readonly items: readonly Asset[];
  /** The cursor of the page after it; absent after the last one. */
  readonly next?: string;
}

/** What an import does with an asset. */
export type Mode = 'create' | 'update' | 'upsert' | 'replace';

/** One operation of a batch. */
export type Operation = AssetOperation | { readonly action: 'delete'; readonly id: string };

/** An operation that writes an asset. */
export interface AssetOperation {
  readonly action: Mode;
  /** The field that identifies the asset: `_id`, or the JSON name of a unique field. */
  readonly by: string;
  readonly asset: JsonObject;
  /** The original JSON text of `asset`. */
  readonly text: string;
}

/** A reference whose target did not exist when it was written. */
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
  /** An error code of the content management API; empty when the response had none. */
  readonly code: string;
  /** Whether the same may succeed later. */
  readonly isTransient: boolean;
  readonly problems: readonly Problem[];
}

export type OperationResult =
  | {
      readonly outcome: 'created' | 'updated' | 'unchanged' | 'deleted';
      readonly _id: string;
      readonly unresolved: readonly Unresolved[];
    }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/** Returns whether an operation was refused for a transient reason. */
export const isTransient = (result: OperationResult) =>
  result.outcome === 'refused' && result.refusal.isTransient;

/** The response to a batch: a result for each operation, or a refusal of the whole batch, of which nothing was done. */
export type BatchResponse =
  | { readonly kind: 'answered'; readonly results: readonly OperationResult[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * Operations to carry out one after the other. Sent again with the same `key`, a batch repeats only the operations that were refused
 * for a transient reason.
 */
export interface Batch {
  readonly key: string;
  /** The name of the run that it belongs to. */
  readonly run?: string;
  readonly operations: readonly Operation[];
}

/** How each batch is carried out: the values of a file are written as they are, and what the target has already is not written. */
export const batchTerms = { references: 'deferred', updateDates: 'given', skipUnchanged: true } as const;

/** The values that one asset of a type has in the fields of a key; null for a value that it lacks. */
export interface KeyLookup {
  readonly type: string;
  readonly fields: readonly string[];
  readonly values: readonly (string | null)[];
}

/** Where a page of a sorted selection begins, and how many assets it has at most. */
export interface Position {
  readonly cursor: string;
  readonly limit: number;
}

/**
 * A place to read content from or write it to.
 *
 * Errors, of each call: transfer_failed when the target does not answer, or refuses for a reason that applies to every call.
 */
export interface ContentTarget {
  /** The server's address or the store's location: shown to people, and compared by a journal. */
  readonly name: string;
  /** The first `limit` of the assets found, in the order of their `_id`. */
  page(selection: Selection, limit: number): Promise<readonly Asset[]>;
  /** At most `limit` of the assets found, from a cursor on; an empty one begins. */
  sortedPage(selection: SortedSelection, position: Position): Promise<SortedPage>;
  count(selection: Selection): Promise<number>;
  /** Finds assets by their keys; they have the fields of the keys. Ignores types and fields that the target does not have. */
  findByKeys(keys: readonly KeyLookup[]): Promise<readonly Asset[]>;
  /** Tells whether fields identify an asset of a type, by one of the keys of its type. */
  isKey(key: KeyLookup): Promise<boolean>;
  /** Finds the targets that do not exist. */
  findMissing(targets: Targets): Promise<readonly string[]>;
  /** Writes a batch whose references may point to assets that are written later. */
  batch(batch: Batch): Promise<BatchResponse>;
  close(): Promise<void>;
}

/** Creates the check of one reading: returns each new cursor. Errors: transfer_failed for one that it was called with before. */
export const checkCursors = () => createCursorCheck(transferFailed);
