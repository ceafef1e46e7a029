/**
 * What a batch is: operations on assets asked for together, and what became of each.
 */
import type { DomainError, Problem } from '../../base/errors.ts';
import type { Json } from '../../model/content-type.ts';
import type { FoundReference } from '../../model/validate-asset.ts';
import type { SaveEffect } from '../pre-assigned-ids.ts';

/**
 * One operation of a batch, as far as it could be read; `asset` is checked when its turn comes.
 *
 * `by` is `_id` or the JSON name of a unique field of the asset's type. An `unreadable` operation is refused with its error.
 */
export type BatchOperation =
  | { readonly action: 'create'; readonly asset: Json | undefined }
  | {
      readonly action: 'update' | 'upsert';
      readonly by: string;
      readonly asset: Json | undefined;
      readonly ifVersions?: readonly string[];
    }
  | { readonly action: 'delete'; readonly id: string; readonly ifVersions?: readonly string[] }
  | { readonly action: 'unreadable'; readonly error: DomainError };

/** Operations to carry out in their order. */
export interface BatchRequest {
  readonly operations: readonly BatchOperation[];
  /** Whether all are to be carried out or none. */
  readonly atomic: boolean;
  /** Whether the target of a reference must exist, or may be missing as yet and is then told of. */
  readonly references: 'checked' | 'deferred';
}

/** What became of one operation. */
export type OperationOutcome =
  | {
      readonly kind: 'done';
      readonly effect: SaveEffect | 'deleted';
      readonly id: string;
      /** Absent when the asset was deleted. */
      readonly version?: string;
      /** With deferred references, those whose targets are not there. */
      readonly unresolved: readonly FoundReference[];
      /** What does not fit of an updated asset, apart from what the operation has given. */
      readonly unfit: readonly Problem[];
    }
  | Refusal;

/** An operation that was not carried out. */
export interface Refusal {
  readonly kind: 'refused';
  readonly error: DomainError;
  /** What the paths of the error begin at. */
  readonly within: 'operation' | 'asset';
}

/** The refusal for an error of what is written; all others are no affair of one operation. */
export const refuse = (error: DomainError, within: Refusal['within'] = 'asset'): Refusal => ({
  kind: 'refused',
  error,
  within,
});
