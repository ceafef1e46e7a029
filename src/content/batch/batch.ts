/**
 * A batch: operations on assets sent together, what each targets and may reference, and the outcome of each.
 * The input of an operation is validated when it is planned.
 */

import { type DomainError, invalidBody, isDomainError, type Problem } from '../../base/errors.ts';
import { isUuid } from '../../base/uuid.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { type FoundReference, isJsonObject } from '../../model/values/validate-asset.ts';
import type { UniqueKey } from '../../query/unique-values.ts';
import { findNamedKeys, type KeySource } from '../check-references.ts';
import type { PatchAsset } from '../patch/patch-asset.ts';
import type { WriteEffect } from '../pre-assigned-ids.ts';
import { findType, readId } from '../prepare-write.ts';

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

/** Which asset an operation targets. */
export type Target =
  | { readonly kind: 'new' }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'key'; readonly key: UniqueKey };

/** An operation that has been read. */
export interface ReadOperation {
  readonly index: number;
  readonly action: Exclude<BatchOperation['action'], 'unreadable'>;
  readonly target: Target;
  /** Empty for a delete, and for a patch, whose input depends on the asset. */
  readonly input: JsonObject;
  /** Returns the input of a patch. */
  readonly patch?: PatchAsset;
  readonly ifVersions?: readonly string[];
  /** The version that an update is based on. */
  readonly baseVersion?: string;
  /** The `_id`s that the input may reference. */
  readonly referenced: readonly string[];
  /** The unique keys by which the input may name the targets of references. */
  readonly named: readonly UniqueKey[];
}

/** Checks whether an action creates an asset that its operation does not find. */
export const mayCreate = (action: ReadOperation['action']): boolean =>
  action === 'upsert' || action === 'replace';

/** Reads an operation, or refuses it. */
export async function readOperation(
  operation: BatchOperation,
  index: number,
  source: KeySource,
): Promise<ReadOperation | Refusal> {
  try {
    if (operation.action === 'unreadable') return refuse(operation.error, 'operation');
    const { action } = operation;
    const condition = {
      ...('ifVersions' in operation && { ifVersions: operation.ifVersions }),
      ...('baseVersion' in operation && { baseVersion: operation.baseVersion }),
    };
    if (action === 'delete') {
      const target: Target = { kind: 'id', id: operation.id.toLowerCase() };
      return { index, action, target, input: {}, referenced: [], named: [], ...condition };
    }
    if (action === 'patch') {
      const { id, document, patch } = operation;
      const target: Target = { kind: 'id', id: id.toLowerCase() };
      const references = await findReferences(document, source);
      return { index, action, target, input: {}, patch, ...references, ...condition };
    }
    const { asset: input } = operation;
    if (!isJsonObject(input))
      return refuseMember('asset', input === undefined ? 'is required' : 'must be an object');
    const target = action === 'create' ? ({ kind: 'new' } as const) : readTarget(operation, input, source);
    if (target.kind === 'refused') return target;
    return { index, action, target, input, ...(await findReferences(input, source)), ...condition };
  } catch (error) {
    if (isDomainError(error)) return refuse(error);
    throw error;
  }
}

type Finding = Extract<BatchOperation, { by: string }>;

function readTarget(
  { action, by }: Finding,
  input: JsonObject,
  { catalog, keys }: KeySource,
): Target | Refusal {
  const type = mayCreate(action) || by !== '_id' ? findType(catalog, input._type) : undefined;
  if (by === '_id' || !type) {
    const id = readId(input._id);
    if (id === undefined) throw invalidBody([{ path: '_id', message: 'is required' }]);
    return { kind: 'id', id };
  }
  const name = keys.find(type, by.split(','));
  if (name === undefined) {
    const known = keys.namesOf(type).join(' or ');
    const others = known === '' ? ', which has none' : `: ${known}`;
    return refuseMember('by', `must be _id or a unique field of ${type.class}${others}`);
  }
  const key = keys.readAsset(type, name, input);
  if (!('text' in key)) throw invalidBody(key);
  return { kind: 'key', key };
}

const refuseMember = (path: string, message: string) => refuse(invalidBody([{ path, message }]), 'operation');

const findReferences = async (input: Json, source: KeySource) => ({
  referenced: findReferenced(input),
  named: await findNamedKeys(input, source),
});

/** Finds everything that looks like a reference; validation decides later what is one. */
function findReferenced(input: Json): string[] {
  const found = new Set<string>();
  const visit = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value) && typeof value._ref === 'string' && isUuid(value._ref)) {
      found.add(value._ref.toLowerCase());
    }
    for (const member of Object.values(value)) visit(member);
  };
  visit(input);
  return [...found];
}
