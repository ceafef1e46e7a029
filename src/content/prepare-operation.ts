/**
 * Prepares one operation of a batch against what the batch knows of the store.
 *
 * A request that is run again meets what its earlier run has written by the versions it has reserved, and does not write it
 * a second time.
 */
import { notFound } from '../base/errors.ts';
import type { BatchView } from './batch-view.ts';
import type { Caller } from './find-assets.ts';
import type { Made, ReservedNames } from './names.ts';
import type { PreparedWrite, PresentAsset, WritePreparer } from './prepare-write.ts';
import type { ReadOperation } from './read-operations.ts';

/** An operation that may be carried out, or that an earlier run of the request has carried out. */
export interface PreparedOperation {
  readonly index: number;
  readonly made: Made | 'deleted';
  readonly id: string;
  /** The version that its asset gets; absent when it is deleted. */
  readonly version?: string;
  /** Absent when there is nothing left to write. */
  readonly prepared?: PreparedWrite;
}

/** What operations are prepared with. */
export interface Preparation {
  readonly view: BatchView;
  readonly preparer: WritePreparer;
  readonly reserved: ReservedNames;
  readonly caller: Caller;
}

/** Errors: invalid_body, unknown_type, not_found, forbidden, precondition_failed. */
export function prepareOperation(operation: ReadOperation, preparation: Preparation): PreparedOperation {
  const { action, target } = operation;
  const { view, preparer, reserved } = preparation;
  if (action === 'create') return prepareCreate(operation, preparation);
  const present = view.find(target);
  if (present && action === 'delete') {
    const prepared = preparer.delete({ ...operation, present });
    return { index: operation.index, made: 'deleted', id: prepared.write.id, prepared };
  }
  if (present) return prepareUpdate(operation, present, preparation);
  if (action === 'upsert') return prepareCreate(operation, preparation);
  const name = target.kind === 'key' ? String(target.key.value) : target.kind === 'id' ? target.id : '';
  // Whether it was the earlier run that has deleted it cannot be told; it is gone, as was asked for.
  if (action === 'delete' && reserved.run === 'repeat')
    return { index: operation.index, made: 'deleted', id: name };
  throw notFound(name);
}

function prepareCreate(operation: ReadOperation, preparation: Preparation): PreparedOperation {
  const { index, input } = operation;
  const { preparer, reserved, caller } = preparation;
  const prepared = preparer.create({ input, names: reserved.of(index) }, caller);
  const { asset, version } = prepared.write;
  const written = findWritten(operation, asset._id, preparation);
  if (written) return written;
  return { index, made: 'created', id: asset._id, version, prepared };
}

function prepareUpdate(
  operation: ReadOperation,
  present: PresentAsset,
  preparation: Preparation,
): PreparedOperation {
  const { index, input, target, ifVersions } = operation;
  const { preparer, reserved, caller } = preparation;
  const { _id: id } = present.asset;
  const written = findWritten(operation, id, preparation);
  if (written) return written;
  const foundBy = target.kind === 'key' ? { foundBy: target.key.path.text } : {};
  const condition = ifVersions ? { ifVersions } : {};
  const names = reserved.of(index);
  const prepared = preparer.update({ present, input, names, ...condition, ...foundBy }, caller);
  return { index, made: 'updated', id, version: prepared.write.version, prepared };
}

/** What an earlier run of this operation, or of a later one on the same asset, has left. */
export function findWritten(
  { index, action }: Pick<ReadOperation, 'index' | 'action'>,
  id: string,
  { view, reserved }: Pick<Preparation, 'view' | 'reserved'>,
): PreparedOperation | undefined {
  const version = view.find({ kind: 'id', id })?.version;
  if (version === undefined || action === 'delete') return undefined;
  // Nobody else knows the identifiers that a request has reserved, whoever has changed the asset since.
  if (reserved.run !== 'only' && id === reserved.of(index).assetId()) {
    return { index, made: 'created', id, version };
  }
  const writer = reserved.findWriter(version);
  if (writer === undefined || writer.index < index) return undefined;
  return { index, made: action === 'create' ? 'created' : writer.made, id, version };
}
