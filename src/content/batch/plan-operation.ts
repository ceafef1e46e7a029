/**
 * Prepares one operation of a batch against what the batch knows of the store.
 *
 * A request that is run again meets what its earlier run has written by the versions it has reserved, and does not write it
 * a second time.
 */
import { notFound, type Problem } from '../../base/errors.ts';
import type { FoundReference } from '../../model/validate-asset.ts';
import type { AssetWrite } from '../../store/port.ts';
import type { PreAssignedIds, SaveEffect } from '../pre-assigned-ids.ts';
import type { PresentAsset, WritePreparer } from '../prepare-write.ts';
import type { Caller } from '../reading/find-assets.ts';
import type { UnfitContent } from '../unfit/unfit-content.ts';
import { applyWrite, type BatchView } from './batch-assets.ts';
import type { ReadOperation, Target } from './read-operations.ts';

/** What an operation does to its asset. */
export interface OperationEffect {
  /** The operation's place in the batch. */
  readonly index: number;
  readonly effect: SaveEffect | 'deleted';
  readonly id: string;
  /** The version that its asset gets; absent when it is deleted. */
  readonly version?: string;
  /** Why the updated asset does not fit its type, apart from what the operation gives. */
  readonly unfit?: readonly Problem[];
}

/** An operation that may be carried out, or that an earlier run of the request has carried out. */
export interface PlannedOperation extends OperationEffect {
  /** All but those of an asset to itself. */
  readonly references: readonly FoundReference[];
  /** Absent when there is nothing left to write. */
  readonly write?: AssetWrite;
}

/** What operations are prepared with. */
export interface Preparation {
  readonly view: BatchView;
  readonly preparer: WritePreparer;
  readonly unfit: UnfitContent;
  readonly reserved: PreAssignedIds;
  readonly caller: Caller;
}

/** Errors: invalid_body, unknown_type, not_found, forbidden, precondition_failed. */
export function planOperation(operation: ReadOperation, preparation: Preparation): PlannedOperation {
  const { action, target } = operation;
  if (action === 'create') return prepareCreate(operation, preparation);
  const present = preparation.view.find(target);
  if (action === 'delete') return prepareDelete(operation, present, preparation);
  if (present) return prepareUpdate(operation, present, preparation);
  if (action === 'upsert') return prepareCreate(operation, preparation);
  throw notFound(nameOf(target));
}

function prepareCreate(operation: ReadOperation, preparation: Preparation): PlannedOperation {
  const { index, input } = operation;
  const { preparer, reserved, caller } = preparation;
  const { write, references } = preparer.create({ input, ids: reserved.of(index) }, caller);
  const { asset, version } = write;
  const created = { index, effect: 'created', id: asset._id } as const;
  const written = findWritten(created, preparation);
  return written ? { ...written, references } : { ...created, version, references, write };
}

function prepareUpdate(
  operation: ReadOperation,
  present: PresentAsset,
  preparation: Preparation,
): PlannedOperation {
  const { index, input, target, ifVersions } = operation;
  const { preparer, reserved, caller } = preparation;
  const updated = { index, effect: 'updated', id: present.asset._id } as const;
  const written = findWritten(updated, preparation);
  const foundBy = target.kind === 'key' ? { foundBy: target.key.path.text } : {};
  // What is written has met its condition.
  const condition = written ? {} : { ...(ifVersions ? { ifVersions } : {}), ...guardOf(reserved) };
  const ids = reserved.of(index);
  const { write, references } = preparer.update({ present, input, ids, ...condition, ...foundBy }, caller);
  const unfit = findUnfit(write, { present, preparation });
  if (written) return { ...written, references, unfit };
  return { ...updated, version: write.version, references, unfit, write };
}

function findUnfit(
  write: AssetWrite,
  { present, preparation: { unfit } }: { present: PresentAsset; preparation: Preparation },
): readonly Problem[] {
  if (!unfit.isChecked(present.asset._type)) return [];
  const changed = applyWrite(write, present.asset);
  return changed ? unfit.check(changed.asset) : [];
}

function prepareDelete(
  { index, target, ...operation }: ReadOperation,
  present: PresentAsset | undefined,
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
    // Whether it was the earlier run that has deleted it cannot be told; it is gone, as was asked for.
    if (reserved.run === 'repeat') return deleted;
    throw notFound(deleted.id);
  }
  if (findWritten(deleted, preparation)) return deleted;
  return { ...deleted, write: preparer.delete({ ...operation, ...guardOf(reserved), present }).write };
}

/** A request that may be run twice at once writes no asset that has changed since it was read. */
const guardOf = ({ run }: PreAssignedIds) => ({ ifUnchanged: run !== 'only' });

function nameOf(target: Target): string {
  if (target.kind === 'key') return String(target.key.value);
  return target.kind === 'id' ? target.id : '';
}

/**
 * What another run of the request has made of an operation's asset, by that operation or by later ones; `undefined` when the
 * operation has not been carried out.
 */
export function findWritten(
  { index, effect, id }: OperationEffect,
  { view, reserved }: Pick<Preparation, 'view' | 'reserved'>,
): OperationEffect | undefined {
  const version = view.find({ kind: 'id', id })?.version;
  if (version === undefined) return undefined;
  // Nobody else knows the identifiers that a request has reserved, whoever has changed the asset since.
  if (reserved.run !== 'only' && id === reserved.of(index).assetId()) {
    return { index, effect: 'created', id, version };
  }
  const writer = reserved.findWriter(version);
  if (writer === undefined || writer.index < index) return undefined;
  if (writer.index === index) return { index, effect: writer.effect, id, version };
  // A later operation has made the asset: this one has not, but may have changed or deleted one that was there before.
  if (writer.effect === 'created' && effect === 'created') return undefined;
  return effect === 'deleted' ? { index, effect, id } : { index, effect, id, version };
}
