/**
 * Reads the body of a batch, whose form its schema has checked. A body that is no batch is refused as a whole; a problem of one
 * operation refuses that operation.
 */
import type * as api from '../../../generated/server/cma.ts';
import { invalidBody, isDomainError, type Problem } from '../../base/errors.ts';
import { isUuid } from '../../base/uuid.ts';
import type { BatchOperation, BatchRequest } from '../../content/batch/batch.ts';
import type { CheckedBody } from '../../model/checked-body.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { parseIfMatch } from '../response/entity-tag.ts';

/** Reads a body. Errors: invalid_body. */
export function readBatch({ body, problems }: CheckedBody): BatchRequest {
  const ofBatch = problems.filter(({ path }) => !inOperation.test(path));
  if (ofBatch.length > 0) throw invalidBody(ofBatch);
  // The schema found nothing wrong but for single operations.
  const { operations, atomic = false, references = 'checked' } = body as unknown as api.BatchRequest;
  const byOperation = Map.groupBy(problems, ({ path }) => Number(inOperation.exec(path)?.[1]));
  return {
    operations: operations.map((operation, index) => readOperation(operation, byOperation.get(index) ?? [])),
    atomic,
    references,
  };
}

const inOperation = /^operations\[(\d+)\]\.?/;

function readOperation(operation: api.BatchOperation, problems: readonly Problem[]): BatchOperation {
  try {
    const ofOperation = problems
      .map((problem) => ({ ...problem, path: problem.path.replace(inOperation, '') }))
      .filter(({ path }) => !isCheckedElsewhere(path, operation));
    if (ofOperation.length > 0) throw invalidBody(ofOperation);
    return readAction(operation);
  } catch (error) {
    if (isDomainError(error)) return { action: 'unreadable', error };
    throw error;
  }
}

/** Whether a place is checked with a better message: the inside of an asset by its content type, entity tags by their reader. */
function isCheckedElsewhere(path: string, operation: api.BatchOperation): boolean {
  if (path.startsWith('asset.')) return true;
  const { action, ifMatch } = Object(operation);
  return path === 'ifMatch' && typeof ifMatch === 'string' && ['update', 'delete'].includes(action);
}

function readAction(operation: api.BatchOperation): BatchOperation {
  switch (operation.action) {
    case 'create':
      return { action: operation.action, asset: toJson(operation.asset) };
    case 'update': {
      const { action, asset, by = '_id' } = operation;
      return { action, asset: toJson(asset), by, ...readCondition(operation) };
    }
    case 'upsert': {
      const { action, asset, by = '_id' } = operation;
      return { action, asset: toJson(asset), by };
    }
    case 'delete':
      if (!isUuid(operation.id)) throw invalidBody([{ path: 'id', message: 'must be a UUID' }]);
      return { action: operation.action, id: operation.id, ...readCondition(operation) };
  }
}

/** An asset as it was parsed: of its fields the generated types know nothing. */
function toJson(asset: api.AssetCreate | api.AssetUpdate): JsonObject {
  return asset as JsonObject;
}

function readCondition({ ifMatch }: { readonly ifMatch?: string }): { ifVersions?: readonly string[] } {
  const ifVersions = parseIfMatch(ifMatch, 'ifMatch');
  return ifVersions ? { ifVersions } : {};
}
