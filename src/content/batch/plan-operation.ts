/**
 * Plans one operation of a batch: checks it against the assets the batch has loaded, and builds the write for the store.
 *
 * A request that runs again recognizes what its earlier run has written by the pre-assigned versions, and does not write it
 * twice.
 */
import { ambiguousValue, notFound, type Problem, preconditionFailed } from '../../base/errors.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { keyName } from '../../model/field-path.ts';
import type { ResolveReference } from '../../model/values/findings.ts';
import type { FoundReference } from '../../model/values/validate-asset.ts';
import { writeKey } from '../../query/unique-values.ts';
import type { AssetWrite, StoredAsset } from '../../store/port.ts';
import type { WrittenReferences } from '../check-references.ts';
import { assertMergeable } from '../merge-changes.ts';
import { applyWrite } from '../overlay/write-overlay.ts';
import type { PreAssignedIds } from '../pre-assigned-ids.ts';
import type { WritePreparer } from '../prepare-write.ts';
import { assertVersion, type Condition } from '../prepare-write.ts';
import type { Caller } from '../reading/find-assets.ts';
import type { UnfitContent } from '../unfit/unfit-content.ts';
import type { BatchEffect, ReadOperation, Target } from './batch.ts';
import { type BatchAssets, findAsset, findBase } from './batch-assets.ts';

/** The effect of an operation on its asset. */
export interface OperationEffect {
  readonly index: number;
  readonly effect: BatchEffect;
  readonly id: string;
  /** The version of the asset afterwards; absent when it is deleted. */
  readonly version?: string;
  /** The class name of the asset; absent when it is deleted. */
  readonly type?: string;
  /** The `id` of the entry in the change log; absent when an earlier run has written it, and others have changed it since. */
  readonly change?: string;
  /** The problems of the updated asset in fields that the operation does not give. */
  readonly unfit?: readonly Problem[];
}

/** An operation that may be written, or that an earlier run of the request has written. */
export interface PlannedOperation extends OperationEffect, WrittenReferences {
  /** All but those of an asset to itself. */
  readonly references: readonly FoundReference[];
  /** Absent when nothing is left to write. */
  readonly write?: AssetWrite;
}

/** The data and services that the planning of operations needs. */
export interface Preparation {
  readonly assets: BatchAssets;
  readonly preparer: WritePreparer;
  readonly unfit: Pick<UnfitContent, 'check' | 'isChecked'>;
  readonly reserved: PreAssignedIds;
  /** Whether the updates keep the `cms.content.updateDate` that they give, whatever the assets have. */
  readonly keepsDates: boolean;
  /** Whether updates and upserts that change nothing write nothing. */
  readonly skipsUnchanged: boolean;
  readonly caller: Caller;
  /** Finds the targets of references that are named by a unique field. */
  readonly resolve: ResolveReference;
}

/** Plans an operation. Errors: invalid_body, unknown_type, not_found, forbidden, precondition_failed, edit_conflict, value_in_use for a value of several assets. */
export function planOperation(operation: ReadOperation, preparation: Preparation): PlannedOperation {
  const { action, target } = operation;
  if (action === 'create') return prepareCreate(operation, preparation);
  assertUnambiguous(target, preparation.assets);
  const present = findAsset(preparation.assets, target);
  if (action === 'delete') return prepareDelete(operation, present, preparation);
  if (present) return prepareUpdate(operation, present, preparation);
  if (action === 'update' || action === 'patch') throw notFound(nameOf(target));
  // Its base existed, so others have deleted it.
  if (operation.baseVersion !== undefined) throw preconditionFailed(nameOf(target));
  return prepareCreate(operation, preparation);
}

function assertUnambiguous(target: Target, { overlay }: BatchAssets): void {
  if (target.kind !== 'key' || !overlay.isAmbiguous(target.key)) return;
  const field = keyName(target.key.paths);
  throw ambiguousValue({ path: field, field, value: writeKey(target.key) });
}

function prepareCreate(operation: ReadOperation, preparation: Preparation): PlannedOperation {
  const { index, input } = operation;
  const { preparer, reserved, caller, resolve } = preparation;
  const { write, references } = preparer.create({ input, ids: reserved.of(index), resolve }, caller);
  const { asset, version } = write;
  const created = { index, effect: 'created', id: asset._id } as const;
  const written = findWritten(created, preparation);
  if (written) return { ...written, references };
  return { ...created, version, type: asset._type, change: version, references, write };
}

function prepareUpdate(
  operation: ReadOperation,
  present: StoredAsset,
  preparation: Preparation,
): PlannedOperation {
  const { index, target } = operation;
  const { preparer, reserved, caller, resolve, keepsDates } = preparation;
  const isWhole = operation.action === 'replace';
  const isCompared = isComparedAt(operation, preparation);
  const updated = { index, effect: 'updated', id: present.asset._id } as const;
  const written = findWritten(updated, preparation);
  const foundBy = target.kind === 'key' ? { foundBy: target.key.paths.map(({ text }) => text) } : {};
  // An asset already written has met its condition.
  const condition = written ? {} : conditionOf(operation, preparation);
  const ids = reserved.of(index);
  const input = readInput(operation, present, written !== undefined);
  const { baseVersion = '' } = operation;
  const base = isMerge(operation, present)
    ? findBase(preparation.assets, present.asset._id, baseVersion)
    : undefined;
  const { write, references, isKept, isUnchanged } = preparer.update(
    {
      present,
      base,
      keepsDates,
      isWhole,
      isCompared,
      isWritten: written !== undefined,
      input,
      ids,
      resolve,
      ...condition,
      ...foundBy,
    },
    caller,
  );
  if (!written && isMerge(operation, present)) assertMergeable({ base, present, write }, caller);
  const unfit = findUnfit(write, { present, preparation });
  if (written) return { ...written, references, unfit };
  const { version, type } = write;
  if (isUnchanged)
    return { ...updated, effect: 'unchanged', version: present.version, type, references, unfit };
  return { ...updated, version, type, change: version, references, isKept, unfit, write };
}

/**
 * Returns the fields to change; none of a patch that is written already. Errors of a patch: invalid_body, test_failed,
 * precondition_failed.
 */
function readInput(
  { input, patch, ifVersions }: ReadOperation,
  present: StoredAsset,
  isWritten: boolean,
): JsonObject {
  if (!patch || isWritten) return input;
  assertVersion({ ifVersions }, present);
  return patch(present.asset);
}

function conditionOf(operation: ReadOperation, preparation: Preparation): Condition {
  const { ifVersions } = operation;
  const ifUnchanged = preparation.reserved.run !== 'only' || dependsOnPresent(operation, preparation);
  return { ...(ifVersions && { ifVersions }), ifUnchanged };
}

/** Checks whether an operation that finds its asset writes what differs from it. */
const isComparedAt = ({ action }: ReadOperation, { skipsUnchanged }: Pick<Preparation, 'skipsUnchanged'>) =>
  action === 'replace' || (skipsUnchanged && (action === 'update' || action === 'upsert'));

/** Checks whether what an operation writes depends on the state of its asset, which must then stay until it is written. */
const dependsOnPresent = (
  operation: ReadOperation,
  preparation: Pick<Preparation, 'skipsUnchanged'>,
): boolean =>
  operation.patch !== undefined ||
  operation.baseVersion !== undefined ||
  isComparedAt(operation, preparation);

const isMerge = ({ baseVersion }: ReadOperation, { version }: StoredAsset) =>
  baseVersion !== undefined && baseVersion !== version;

function findUnfit(
  write: AssetWrite,
  { present, preparation: { unfit } }: { present: StoredAsset; preparation: Preparation },
): readonly Problem[] {
  if (!unfit.isChecked(present.asset._type)) return [];
  const changed = applyWrite(write, present.asset);
  return changed ? unfit.check(changed.asset) : [];
}

function prepareDelete(
  { index, target, ...operation }: ReadOperation,
  present: StoredAsset | undefined,
  preparation: Preparation,
): PlannedOperation {
  const { preparer, reserved } = preparation;
  const deleted = {
    index,
    effect: 'deleted',
    id: present?.asset._id ?? nameOf(target),
    references: [],
  } as const;
  if (!present) {
    // Perhaps the earlier run deleted it, perhaps somebody else: it is gone, as requested.
    if (reserved.run === 'repeat') return deleted;
    throw notFound(deleted.id);
  }
  if (findWritten(deleted, preparation)) return deleted;
  const removal = { ...operation, ...guardOf(reserved), present, ids: reserved.of(index) };
  const { write } = preparer.delete(removal);
  return { ...deleted, ...(write.change !== undefined && { change: write.change }), write };
}

/** Guards a request that may run twice at once: it writes no asset that has changed since it was read. */
const guardOf = ({ run }: PreAssignedIds) => ({ ifUnchanged: run !== 'only' });

function nameOf(target: Target): string {
  if (target.kind === 'key') return writeKey(target.key);
  return target.kind === 'id' ? target.id : '';
}

/**
 * Finds the effect that an operation already had in another run of the request, possibly followed by those of later operations.
 * `undefined` when the operation has not been written.
 */
export function findWritten(
  { index, effect, id }: OperationEffect,
  { assets, reserved }: Pick<Preparation, 'assets' | 'reserved'>,
): OperationEffect | undefined {
  const present = findAsset(assets, { kind: 'id', id });
  if (!present) return undefined;
  const { version } = present;
  const state = { version, type: present.asset._type };
  const writer = reserved.findWriter(version);
  const own = writer?.index === index ? { change: writer.change } : {};
  // Only this request knows its pre-assigned IDs, so it created the asset, even if others have changed it since.
  if (reserved.run !== 'only' && id === reserved.of(index).assetId()) {
    return { index, effect: 'created', id, ...state, ...own };
  }
  if (writer === undefined || writer.index < index) return undefined;
  if (writer.index === index) return { index, effect: writer.effect, id, ...state, ...own };
  // A later operation created the asset, so this one did not; it may have changed or deleted an earlier asset.
  if (writer.effect === 'created' && effect === 'created') return undefined;
  return effect === 'deleted' ? { index, effect, id } : { index, effect, id, ...state };
}
