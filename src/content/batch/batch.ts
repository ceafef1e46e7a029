/**
 * A batch: operations on assets sent together, and the outcome of each.
 */
import type { DomainError, Problem } from '../../base/errors.ts';
import type { Json } from '../../model/content-type.ts';
import type { FoundReference } from '../../model/values/validate-asset.ts';
import type { PatchAsset } from '../patch/patch-asset.ts';
import type { WriteEffect } from '../pre-assigned-ids.ts';

/**
 * One operation of a batch as the request states it; its `asset` is validated later, in the order of the batch.
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
      /** The version that the operation is based on; what others have changed since is merged. */
      readonly baseVersion?: string;
    }
  | { readonly action: 'replace'; readonly by: string; readonly asset: Json | undefined }
  | {
      readonly action: 'patch';
      readonly id: string;
      /** The patch as it was given, in which references are looked for. */
      readonly document: Json;
      readonly patch: PatchAsset;
      readonly ifVersions?: readonly string[];
    }
  | { readonly action: 'delete'; readonly id: string; readonly ifVersions?: readonly string[] }
  | { readonly action: 'unreadable'; readonly error: DomainError };

/** Operations, carried out in their order. */
export interface BatchRequest {
  readonly operations: readonly BatchOperation[];
  /** Whether either all are carried out or none. */
  readonly atomic: boolean;
  /** Whether targets of references must exist, or may be missing and are then reported. */
  readonly references: 'checked' | 'deferred';
  /**
   * Which `cms.content.updateDate` an update gives: one that differs from that of the asset, or any; see `AssetBatch` in
   * openapi/cma.yaml.
   */
  readonly updateDates?: 'changed' | 'given' | undefined;
  /** Whether updates and upserts that change nothing write nothing, as replacements do. */
  readonly skipUnchanged?: boolean | undefined;
}

/** The effect of an operation on its asset. */
export type BatchEffect = WriteEffect | 'unchanged';

/** The outcome of one operation. */
export type OperationOutcome =
  | {
      readonly kind: 'done';
      readonly effect: BatchEffect;
      readonly id: string;
      /** Absent when the asset was deleted. */
      readonly version?: string;
      /** The class name of the asset; absent when it was deleted. */
      readonly type?: string;
      /** The `id` of the entry in the change log; absent when the store keeps none. */
      readonly change?: string;
      /** With deferred references, those whose targets do not exist. */
      readonly unresolved: readonly FoundReference[];
      /** The problems of an updated asset in fields that the operation does not give. */
      readonly unfit: readonly Problem[];
      /** Of a checked deletion that would erase: the releases whose drafts of the asset it would remove. */
      readonly drafts?: readonly string[];
    }
  | Refusal;

/** An operation that was not carried out. */
export interface Refusal {
  readonly kind: 'refused';
  readonly error: DomainError;
  /** What the error's paths are relative to. */
  readonly within: 'operation' | 'asset' | 'patch';
}

/** Creates the refusal of an operation. */
export const refuse = (error: DomainError, within: Refusal['within'] = 'asset'): Refusal => ({
  kind: 'refused',
  error,
  within,
});
